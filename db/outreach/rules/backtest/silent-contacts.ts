import { firstRow, rows, type Transaction } from '../../../database.ts';
import { cutOffOf, dueColumns, dueFrom, type DueSubTask, isMeant, withoutResponse } from '../no-response.ts';
import type { RuleRecord } from '../rules.ts';
import type { Period } from './period.ts';
import { shareTimeLeft, type TimeLimit } from './time-limit.ts';

/** Up to 100,000 contacts. */
const subTasksAtOnce = 100;

/** One that reads the sub-tasks and one that adds their contacts. */
const statementsPerPage = 2;

type EndedSubTask = DueSubTask & { finishedAt: string };

/** The sub-tasks whose days were over within the period, in this order, `subTasksAtOnce` at a time. */
async function* endedSubTasks(
  transaction: Transaction,
  ruleId: string,
  { period: { from, to }, now, limit }: { period: Period; now: Date; limit: TimeLimit },
): AsyncGenerator<DueSubTask[]> {
  let after: { finishedAt: string; key: string } | null = null;
  for (;;) {
    await shareTimeLeft(transaction, limit, statementsPerPage);
    // The bounds are on the end itself, which is indexed.
    const page: EndedSubTask[] = await rows<EndedSubTask>(
      transaction,
      `select ${dueColumns}, b.finished_at::text as finished_at from ${dueFrom}
       where r.rule_id = :ruleId
         and b.finished_at between ${startOf(':from::timestamptz')} and ${startOf('least(:to::timestamptz, :now)')}
         ${after ? 'and (b.finished_at, b.key) > (:finishedAt::timestamptz, :key)' : ''}
       order by b.finished_at, b.key limit :limit`,
      { ruleId, from, to, now, limit: subTasksAtOnce, ...after },
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < subTasksAtOnce) return;
    after = { finishedAt: last.finishedAt, key: last.key };
  }
}

/** When a sub-task ended whose days are over at this moment. */
const startOf = (cutOff: string) => cutOffOf(cutOff, '-r.days');

/**
 * One statement for all sub-tasks. The planner must not turn the lookups of their recipients around into a join, which
 * would read the recipients of all sends: hence the `offset`.
 */
const addSilent = `
  with silent as (
    select d.place, p.contact_id
    from unnest(:dispatchIds::text[], :chunks::int[], :campaignIds::text[], :cutOffs::timestamptz[]) with ordinality
        as d(dispatch_id, chunk, campaign_id, cut_off, place)
      cross join lateral (
        select p.contact_id from dispatch_recipient p
        where p.dispatch_id = d.dispatch_id and p.chunk = d.chunk
          and ${withoutResponse({ tenantId: ':tenantId', campaignId: 'd.campaign_id', cutOff: 'd.cut_off' })}
        offset 0) p),
  added as (
    insert into found_contact (contact_id, position)
    select contact_id, :before::bigint + row_number() over (order by place, contact_id) as position from silent
    order by position on conflict do nothing)
  select count(*) as found from silent`;

/**
 * Puts the contacts that had not responded when the rule's days were over, within the period, into the table
 * `found_contact`.
 * @returns how many times that was so: once for each contact of each sub-task.
 */
export async function findSilent(
  transaction: Transaction,
  tenantId: string,
  { ruleId }: RuleRecord,
  within: { period: Period; now: Date; limit: TimeLimit },
): Promise<number> {
  let silent = 0;
  for await (const page of endedSubTasks(transaction, ruleId, within)) {
    const meant = page.filter(isMeant);
    if (meant.length === 0) continue;
    const counted = await firstRow<{ found: number }>(transaction, addSilent, {
      tenantId,
      dispatchIds: meant.map(({ dispatchId }) => dispatchId),
      chunks: meant.map(({ chunk }) => chunk),
      campaignIds: meant.map(({ campaignId }) => campaignId),
      cutOffs: meant.map(({ cutOff }) => cutOff),
      before: silent,
    });
    silent += counted?.found ?? 0;
  }
  return silent;
}
