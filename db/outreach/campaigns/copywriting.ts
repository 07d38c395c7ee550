import { fn } from 'objection';
import { type CopyBrief, copyBriefSchema, type CopyDrafts, copyDraftsSchema } from '#domain/api/ai.ts';
import { type Database, firstRow } from '#db/database.ts';
import { CopywritingRow } from '../models/campaigns.ts';

export interface CopywritingRef {
  tenantId: string;
  copywritingId: string;
}

/** Why there are no drafts; `failed` is worth a retry. */
export type CopyFailure = 'refused' | 'misconfigured' | 'failed';

export type CopyOutcome = { kind: 'written'; drafts: CopyDrafts } | { kind: CopyFailure; message: string };

/**
 * The brief of an open request, with the name of its service number; null if the request is not open or the tenant is
 * no longer installed.
 */
export async function findOpenBrief(
  database: Database,
  ref: CopywritingRef,
): Promise<{ brief: CopyBrief; senderName: string | null } | null> {
  const row = await firstRow<{ brief: string; senderName: string | null }>(
    database,
    `select c.brief, (select s.name from service_number_catalog s where s.tenant_id = c.tenant_id
        and s.service_number_id = c.brief::jsonb ->> 'serviceNumberId') as sender_name
     from copywriting c
     join tenant_integration i on i.tenant_id = c.tenant_id and i.status = 'ACTIVE'
     where c.tenant_id = :tenantId and c.copywriting_id = :copywritingId and c.status = 'pending'`,
    { ...ref },
  );
  return row && { brief: copyBriefSchema.parse(JSON.parse(row.brief)), senderName: row.senderName };
}

/** Ends a request once; later outcomes change nothing. */
export async function endCopywriting(
  database: Database,
  { tenantId, copywritingId }: CopywritingRef,
  outcome: CopyOutcome,
): Promise<void> {
  const written = outcome.kind === 'written';
  await CopywritingRow.query(database)
    .where({ tenantId, copywritingId, status: 'pending' })
    .patch({
      status: written ? 'written' : 'failed',
      drafts: written ? outcome.drafts : null,
      failure: written ? null : outcome.kind,
      error: written ? null : outcome.message,
      endedAt: fn.now(),
    });
}

/** The outcome of a request; null while it is open. */
export async function readCopywriting(
  database: Database,
  { tenantId, copywritingId }: CopywritingRef,
): Promise<CopyOutcome | null> {
  const row = await CopywritingRow.query(database).findOne({ tenantId, copywritingId }).whereNot('status', 'pending');
  if (!row) return null;
  if (row.drafts !== null) return { kind: 'written', drafts: copyDraftsSchema.parse(row.drafts) };
  return { kind: row.failure ?? 'failed', message: row.error ?? '' };
}
