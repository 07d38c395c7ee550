import { folded } from '#db/outreach/sql-fragments.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import type { MessagesBy } from '#domain/api/messages-by.ts';
import { OTHERWISE } from '#domain/campaigns/cases/limits.ts';
import type { AudienceOwner } from '../audiences/owner.ts';

/** SQL: the number of the case of each contact of the table or query `contacts`; null if its value is in none. */
const chosenCases = ({ field }: MessagesBy, contacts: string) => `
  select r.contact_id, v.number
  from ${contacts} r
  left join contact_profile p on p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId and p.contact_id = r.contact_id
  left join (select ${folded('one')} as value, min(number) as number from unnest(:values::text[], :numbers::int[]) as g (one, number)
    group by 1) v on v.value = ${folded(typeof field === 'object' ? 'p.attributes ->> :attribute' : `p.${field}`)}`;

function bindingsOf({ tenantId, serviceNumberId }: AudienceOwner, { field, cases }: MessagesBy) {
  const all = cases.flatMap(({ values }, number) => values.map((value) => ({ value, number })));
  return {
    tenantId,
    serviceNumberId,
    values: all.map(({ value }) => value),
    numbers: all.map(({ number }) => number),
    ...(typeof field === 'object' && field),
  };
}

// Whoever is taken over from another sub-task, and is in no case by now, stays in that of it.
const draw = (messagesBy: MessagesBy) => `
  update resolved r set arm = ${messagesBy.otherwise === 'skip' ? 'coalesce(d.number, r.arm)' : `coalesce(d.number, ${OTHERWISE})`}
  from (${chosenCases(messagesBy, 'resolved')}) d where r.contact_id = d.contact_id and r.class = 'reachable'`;

const leaveOut = `
  with left_out as (update resolved set class = 'noCase' where class = 'reachable' and arm is null returning 1)
  select count(*) as contacts from left_out`;

/**
 * Gives each reachable contact of the table `resolved` the number of its case as its arm, by its profile as it is now, and the class
 * `noCase` to those that get nothing.
 * @returns how many those are.
 */
export async function chooseCases(
  transaction: Transaction,
  owner: AudienceOwner,
  { messagesBy }: { messagesBy: MessagesBy | null },
): Promise<number> {
  if (messagesBy === null) return 0;
  await rows(transaction, draw(messagesBy), bindingsOf(owner, messagesBy));
  if (messagesBy.otherwise !== 'skip') return 0;
  return (await firstRow<{ contacts: number }>(transaction, leaveOut, {}))?.contacts ?? 0;
}

/** The number of the case of each of the contacts; those that get nothing are left out. */
export async function casesOfContacts(
  transaction: Transaction,
  owner: AudienceOwner,
  { messagesBy, contactIds }: { messagesBy: MessagesBy; contactIds: string[] },
): Promise<Map<string, number>> {
  const found = await rows<{ contactId: string; number: number | null }>(
    transaction,
    chosenCases(messagesBy, '(select unnest(:contactIds::text[]) as contact_id)'),
    { ...bindingsOf(owner, messagesBy), contactIds },
  );
  const other = messagesBy.otherwise === 'skip' ? null : OTHERWISE;
  return new Map(
    found.flatMap(({ contactId, number }) => {
      const chosen = number ?? other;
      return chosen === null ? [] : [[contactId, chosen] as const];
    }),
  );
}
