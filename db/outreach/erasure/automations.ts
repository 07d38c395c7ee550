import { type Database, rows } from '#db/database.ts';
import type { Erasure } from './erasures.ts';

const skipEntries = `
  update automation_entry set status = 'skipped', reason = 'erased', decided_at = :now
  where tenant_id = :tenantId and contact_id = :contactId and decided_at is null`;

// What is claimed meanwhile goes out without the contact; what the platform may have, became what it becomes.
const skipSteps = `
  with ended as (
    update automation_step s set status = 'skipped', reason = 'erased', sub_task_key = null, claimed_at = null
    where s.tenant_id = :tenantId and s.contact_id = :contactId and s.status = 'waiting'
      and (s.sub_task_key is null
        or exists (select from broadcast_task t where t.key = s.sub_task_key and t.status = 'pending'))
    returning s.entry_id)
  select array_agg(entry_id) as ids from ended`;

const rename = (table: string) =>
  `update ${table} set contact_id = :pseudonym where tenant_id = :tenantId and contact_id = :contactId`;

/** The contact gets no further step; its entries stay, under the pseudonym: one person in all figures, as before. */
export function eraseInAutomations(
  database: Database,
  { tenantId, contactId, pseudonym }: Erasure,
  now: Date,
): Promise<void> {
  const bindings = { tenantId, contactId, pseudonym };
  return database.transaction(async (transaction) => {
    await rows(transaction, skipEntries, { ...bindings, now });
    const [ended] = await rows<{ ids: string[] | null }>(transaction, skipSteps, bindings);
    if (ended?.ids) await rows(transaction, 'select settle_automation_entries(:ids)', { ids: ended.ids });
    await rows(transaction, 'delete from automation_member where tenant_id = :tenantId and contact_id = :contactId', {
      tenantId,
      contactId,
    });
    await rows(transaction, rename('automation_step'), bindings);
    await rows(transaction, rename('automation_entry'), bindings);
  });
}
