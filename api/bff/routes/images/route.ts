import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import type { FileService } from '#clients/files/file-service.ts';
import type { ImageReader } from '#clients/files/image-reader.ts';
import { type ImageCheck, imageOperations } from '#domain/api/images.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { checkImage } from '#domain/images/image-check.ts';
import {
  imageTypeOf,
  imageTypes,
  type ImageType,
  isWholeImage,
  MAXIMUM_IMAGE_BYTES,
} from '#domain/images/image-file.ts';
import { readBody } from '#api/http/body.ts';
import type { Logger } from '#api/runtime/logger.ts';
import type { Limits } from '#api/bff/limits/limits.ts';
import type { ServeConsole } from '../serve-console.ts';

export interface ImageDeps {
  /** Null where FILES_URL is off. */
  files: FileService | null;
  /** Opens pictures that messages name. */
  reader: ImageReader;
  limits: Pick<Limits, 'call'>;
  logger: Logger;
}

/** Pictures of one request, and requests of this process: each picture is up to 5 MiB of memory. */
const PICTURES_AT_ONCE = 2;
const CHECKS_AT_ONCE = 5;

/** @throws Problem `invalid_content` for anything but a whole picture. */
function typeOf(bytes: Buffer): ImageType {
  const type = imageTypeOf(bytes);
  const reason = type === null ? 'image_type' : isWholeImage(bytes, type) ? null : 'image_broken';
  if (type && !reason) return type;
  throw new Problem('invalid_content', 'The file is no picture that can be sent', {
    errors: [invalidField('', reason ?? 'image_type')],
  });
}

const UNREAD = { width: null, height: null, bytes: null };

async function check(reader: ImageReader, url: string): Promise<ImageCheck> {
  const found = await reader.read(url, MAXIMUM_IMAGE_BYTES + 1);
  if (found.kind !== 'read') return { url, ...UNREAD, warnings: [found.kind] };
  const { size, warnings } = checkImage(found.bytes);
  return { url, width: size?.width ?? null, height: size?.height ?? null, bytes: found.bytes.length, warnings };
}

function checkRoute(serve: ServeConsole, { reader, limits }: ImageDeps): void {
  let underWay = 0;
  serve(imageOperations.checkImages, {
    async handle({ actor, body: { urls } }) {
      await limits.call(imageOperations.checkImages, actor);
      if (underWay >= CHECKS_AT_ONCE)
        throw new Problem('rate_limited', 'Others have their pictures checked; try again', { retryAfterSeconds: 5 });
      underWay += 1;
      try {
        return { images: await pMap(urls, (url) => check(reader, url), { concurrency: PICTURES_AT_ONCE }) };
      } finally {
        underWay -= 1;
      }
    },
  });
}

export function imageRoutes(serve: ServeConsole, deps: ImageDeps): void {
  checkRoute(serve, deps);
  const { files, logger } = deps;
  const operation = imageOperations.uploadImage;
  serve(operation, {
    async handle({ ctx }) {
      if (!files) throw new Problem('invalid_state', 'No file service is set up: set FILES_URL');
      const bytes = await readBody(ctx, operation.maxBodyBytes);
      const type = typeOf(bytes);
      const requestId = String(ctx.state['requestId']);
      // The name reveals no uploader and cannot be guessed.
      const name = `${randomUUID()}.${imageTypes[type]}`;
      const outcome = await files.store({ name, type, bytes, requestId });
      if (outcome.kind === 'stored') return { url: outcome.url };
      logger.warn({ requestId, reason: outcome.message }, 'the file service did not store a picture');
      throw new Problem('unavailable', 'The file service did not store the picture');
    },
  });
}
