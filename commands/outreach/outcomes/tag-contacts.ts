import type { Database } from '#db/database.ts';
import { OutcomeTaggingRow } from '#db/outreach/models/tags.ts';
import { insertForOutcome } from '#db/outreach/outcomes/pages.ts';
import { addToCount } from '#db/outreach/tags/assignments.ts';
import { Problem } from '#domain/api/problem.ts';
import { lockTagFor } from './tagging.ts';

/** Tags the next page, in a transaction of its own. Null if nothing is left to do, as after the last page. */
function tagPage(
  database: Database,
  taggingId: string,
  now: Date,
): Promise<{ assigned: number; isLast: boolean } | null> {
  return database.transaction(async (transaction) => {
    const tagging = await OutcomeTaggingRow.query(transaction).findById(taggingId).forUpdate();
    if (!tagging) return null;
    const { tenantId, serviceNumberId, campaignId, tagId, assignedBy, who, filter } = tagging;
    const { afterClick, afterTask } = tagging;
    await lockTagFor(transaction, tenantId, tagging);
    const page = await insertForOutcome(
      transaction,
      {
        scope: { tenantId, serviceNumberId, campaignId },
        wanted: { who, ...filter },
        after: { afterClick, afterTask },
      },
      {
        into: 'tag_assignment (tenant_id, tag_id, contact_id, assigned_at, assigned_by)',
        values: ':tenantId, :tagId, k.contact_id, :now::timestamptz, :assignedBy',
        bindings: { tagId, now, assignedBy },
      },
    );
    await addToCount(transaction, tagId, page.added);
    const own = OutcomeTaggingRow.query(transaction).findById(taggingId);
    await (page.next === null ? own.delete() : own.patch({ ...page.next, updatedAt: now }));
    return { assigned: page.added, isLast: page.next === null };
  });
}

/**
 * Gives the tag to the contacts, page by page; whoever has it keeps it with its origin. It can be repeated, and
 * continued by another process.
 * @throws Problem as `beginTagging`, if the tag was archived in the meantime: nobody continues it then.
 */
export async function tagContacts(
  database: Database,
  taggingId: string,
  { now, onAssigned }: { now: () => Date; onAssigned: (count: number) => void },
): Promise<void> {
  try {
    for (let page = await tagPage(database, taggingId, now()); page; page = await tagPage(database, taggingId, now())) {
      onAssigned(page.assigned);
      if (page.isLast) return;
    }
  } catch (error) {
    if (error instanceof Problem) await OutcomeTaggingRow.query(database).findById(taggingId).delete();
    throw error;
  }
}
