import type { Context } from 'koa';
import { Problem } from '#domain/api/problem.ts';
import type { Settings } from '#domain/settings/settings.ts';
import { type Coding, gunzipped } from '#api/http/incoming/coding.ts';
import { type Pace, slowestPace } from '#api/http/incoming/pace.ts';
import { spooled } from '#api/http/incoming/spool.ts';

export interface UploadLimits {
  /** Where uploads wait until they are complete. */
  folder: string;
  /** Of one upload, also once it is unpacked. */
  mostBytes: number;
  /** Of all that this process keeps at once. */
  mostBytesTogether: number;
  atOncePerTenant: number;
  pace: Pace;
}

const MIB = 1_048_576;

/** The longest list has 1,000,000 lines; as a table with 250 bytes a line it still fits. */
export const uploadLimits = (settings: Pick<Settings, 'UPLOADS_DIR' | 'UPLOADS_MAX_BYTES'>): UploadLimits => ({
  folder: settings.UPLOADS_DIR,
  mostBytes: 256 * MIB,
  mostBytesTogether: settings.UPLOADS_MAX_BYTES,
  atOncePerTenant: 2,
  pace: slowestPace,
});

const RETRY_SECONDS = 10;

const tooMany = (atOnce: number): Problem =>
  new Problem('rate_limited', `A tenant may upload ${atOnce} lists at once`, { retryAfterSeconds: RETRY_SECONDS });

const noRoom = (): Problem =>
  new Problem('unavailable', 'Too much is being uploaded; try again', { retryAfterSeconds: RETRY_SECONDS });

/** The uploads of this process: they are received first, and only then does anything of the service wait for them. */
export interface Uploads {
  /**
   * @param use what the complete upload is for; gets it unpacked
   * @throws Problem `rate_limited` if the tenant uploads as much as it may, `too_large`, `too_slow`, `unavailable` if there
   * is no room, `invalid_request` if the body ends early or cannot be
   * unpacked.
   */
  receive<T>(
    ctx: Context,
    upload: { tenantId: string; coding: Coding },
    use: (chunks: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T>;
}

export function createUploads(limits: UploadLimits): Uploads {
  const { atOncePerTenant, mostBytesTogether, ...each } = limits;
  const open = new Map<string, number>();
  let kept = 0;

  function change(tenantId: string, by: 1 | -1): void {
    const now = (open.get(tenantId) ?? 0) + by;
    if (now > 0) open.set(tenantId, now);
    else open.delete(tenantId);
  }

  return {
    async receive(ctx, { tenantId, coding }, use) {
      if ((open.get(tenantId) ?? 0) >= atOncePerTenant) throw tooMany(atOncePerTenant);
      let own = 0;
      let ended = false;
      const makeRoom = (bytes: number): void => {
        // A body that was too slow may still arrive.
        if (ended || kept + bytes > mostBytesTogether) throw noRoom();
        own += bytes;
        kept += bytes;
      };
      change(tenantId, 1);
      try {
        return await spooled(ctx, { ...each, makeRoom }, (chunks) =>
          use(coding === 'gzip' ? gunzipped(chunks, each.mostBytes) : chunks),
        );
      } finally {
        ended = true;
        change(tenantId, -1);
        kept -= own;
      }
    },
  };
}
