import { rows, type Transaction } from '#db/database.ts';
import { withPlannerMethodsDisabled } from '#db/outreach/planner-methods.ts';
import { cutOffOf, dueColumns, dueFrom, type DueSubTask, isKnownPerson, isMeant } from '../no-response.ts';
import type { RuleRecord } from '../rules.ts';
import type { Period } from './period.ts';
import { shareTimeLeft, type TimeLimit } from './time-limit.ts';

/** Up to 1,000,000 contacts. */
const subTasksAtOnce = 1000;

/** One that reads the sub-tasks, and one that adds their contacts between the two that set how. */
const statementsPerPage = 4;

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
 * One statement for all sub-tasks: it reads each of their recipients and each response to their campaigns once, instead
 * of looking responses up for each recipient. The planner must not turn the lookups of recipients around into a join,
 * which would read the recipients of all sends: hence the `offset`. A sub-task is one position.
 */
const addSilent = `
  with ended as materialized (
    select * from unnest(:dispatchIds::text[], :chunks::int[], :campaignIds::text[], :cutOffs::timestamptz[])
      with ordinality as d(dispatch_id, chunk, campaign_id, cut_off, place)),
  responded as materialized (
    select campaign_id, contact_id, min(at) as at
    from (
      select campaign_id, contact_id, clicked_at as at from click_attribution
      where tenant_id = :tenantId and campaign_id = any(:campaignIds) and clicked_at <= :lastCutOff
      union all
      select campaign_id, contact_id, opened_at from conversation
      where tenant_id = :tenantId and campaign_id = any(:campaignIds) and opened_at <= :lastCutOff) responses
    group by campaign_id, contact_id)
  insert into found_contact (contact_id, position)
  select p.contact_id, :before::bigint + d.place
  from ended d
    cross join lateral (
      select contact_id from dispatch_recipient
      where dispatch_id = d.dispatch_id and chunk = d.chunk and ${isKnownPerson('contact_id')} offset 0) p
    left join responded r on r.campaign_id = d.campaign_id and r.contact_id = p.contact_id and r.at <= d.cut_off
  where r.at is null`;

/**
 * Puts the contacts that had not responded when the rule's days were over, within the period, into the table
 * `found_contact`: once for each contact of each sub-task.
 */
export async function findSilent(
  transaction: Transaction,
  tenantId: string,
  { ruleId }: RuleRecord,
  within: { period: Period; now: Date; limit: TimeLimit },
): Promise<void> {
  let before = 0;
  for await (const page of endedSubTasks(transaction, ruleId, within)) {
    const meant = page.filter(isMeant);
    if (meant.length === 0) continue;
    const subTasks = {
      tenantId,
      dispatchIds: meant.map(({ dispatchId }) => dispatchId),
      chunks: meant.map(({ chunk }) => chunk),
      campaignIds: meant.map(({ campaignId }) => campaignId),
      cutOffs: meant.map(({ cutOff }) => cutOff),
      lastCutOff: meant.at(-1)?.cutOff,
      before,
    };
    // Lookups of recipients cannot be joined otherwise; everything else would be, for want of statistics.
    await withPlannerMethodsDisabled(transaction, ['nestloop', 'mergejoin'], () =>
      rows(transaction, addSilent, subTasks),
    );
    before += meant.length;
  }
}
