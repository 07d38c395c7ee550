import type { Database } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { RepeatRecord } from '#db/outreach/repeats/repeats.ts';
import type { RepeatPatch } from '#domain/api/repeats.ts';
import { lockRepeat, noteChange, refuse, store } from './repeats.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

/** @throws Problem `not_found`, `invalid_state` once it has ended, `stale`, `invalid_content`. */
export function updateRepeat(
  database: Database,
  author: Author,
  repeatId: string,
  { patch, now, checkRevision = anyRevision }: { patch: RepeatPatch; now: Date; checkRevision?: RevisionCheck },
): Promise<RepeatRecord> {
  return database.transaction(async (transaction) => {
    const before = await lockRepeat(transaction, { tenantId: author.tenantId, repeatId });
    const { status, pauseReason, startedBy } = before;
    if (status === 'ended') throw refuse(status, 'changed');
    checkRevision(before.revision);
    const after = await store(transaction, before, { patch, status, endReason: null, pauseReason, startedBy }, now);
    await noteChange(transaction, author, 'update', { before, after });
    return after;
  });
}
