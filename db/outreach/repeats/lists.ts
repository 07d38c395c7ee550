import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import type { RepeatRun } from '#domain/api/repeats.ts';
import type { RepeatStatus } from '#domain/campaigns/repeats/statuses.ts';
import { decodeCursor, keyText, pageOf } from '#domain/cursor.ts';
import { type Database, rows } from '#db/database.ts';
import { repeatColumns, type RepeatRecord } from './repeats.ts';

interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

export interface RepeatFilter extends PageRequest {
  serviceNumberId?: string | undefined;
  status?: RepeatStatus | undefined;
  campaignId?: string | undefined;
}

/** Newest first. */
export async function listRepeats(
  database: Database,
  tenantId: string,
  filter: RepeatFilter,
): Promise<Page<RepeatRecord>> {
  const { limit, cursor, serviceNumberId = null, status = null, campaignId = null } = filter;
  const after = decodeCursor(z.tuple([keyText]), cursor)?.[0] ?? null;
  const found = await rows<RepeatRecord>(
    database,
    `select ${repeatColumns} from campaign_repeat r
     where r.tenant_id = :tenantId
       ${serviceNumberId === null ? '' : 'and r.service_number_id = :serviceNumberId'}
       ${status === null ? '' : 'and r.status = :status'}
       ${campaignId === null ? '' : 'and r.campaign_id = :campaignId'}
       ${after === null ? '' : 'and r.repeat_id < :after'}
     order by r.repeat_id desc limit :rows`,
    { tenantId, serviceNumberId, status, campaignId, after, rows: limit + 1 },
  );
  return pageOf(found, limit, ({ repeatId }) => [repeatId]);
}

export type RepeatRunRecord = Omit<RepeatRun, 'dueAt' | 'ranAt'> & { dueAt: Date; ranAt: Date };

/** Newest first. The caller has already found the repeat by its tenant. */
export async function listRepeatRuns(
  database: Database,
  repeatId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<RepeatRunRecord>> {
  const after = decodeCursor(z.tuple([z.int().min(1).max(2_000_000_000)]), cursor)?.[0] ?? null;
  const found = await rows<RepeatRunRecord>(
    database,
    `select u.number, u.local_time, u.due_at, u.ran_at, u.outcome, u.reason, u.left_out, u.campaign_id,
       c.status as campaign_status,
       (select sum(d.audience_count) from dispatch d where d.campaign_id = u.campaign_id and d.retry_of is null)
         as audience_count
     from repeat_run u left join campaign c on c.campaign_id = u.campaign_id
     where u.repeat_id = :repeatId ${after === null ? '' : 'and u.number < :after'}
     order by u.number desc limit :rows`,
    { repeatId, after, rows: limit + 1 },
  );
  return pageOf(found, limit, ({ number }) => [number]);
}
