import type { AutomationResults } from '#domain/api/automation-entries.ts';
import { messagesByPlace } from '#domain/campaigns/variants/variants.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { readCases } from '../sends/case-figures.ts';
import { readClicks } from '../clicks/results.ts';
import type { AutomationKey, AutomationRecord } from './automations.ts';

type Results = AutomationResults;

const summary = (where: string) => `(
  select json_build_object('sent', coalesce(sum(sent), 0), 'delivered', coalesce(sum(delivered), 0),
    'failed', coalesce(sum(failed), 0), 'read', coalesce(sum(read), 0)) from broadcast_task ${where})`;

// A step without a row was not come to: its entry ended before, or at entering.
const selectSteps = `
  select n.step, (coalesce(t.sent, 0) + coalesce(g.sent, 0))::int as sent,
    (coalesce(t.unknown, 0) + coalesce(g.unknown, 0))::int as unknown,
    (coalesce(t.skipped, 0) + coalesce(g.skipped, 0) + (
      select count(*) from automation_entry e
      where e.automation_id = :automationId and e.decided_at is not null and e.status <> 'waiting'
        and not exists (select from automation_step s where s.entry_id = e.entry_id and s.step = n.step)))::int as skipped,
    ${summary('where campaign_id = :automationId and variant = n.step')} as summary,
    (select json_build_object('total', count(*), 'repeats', coalesce(sum(repeats), 0),
        'uniqueContacts', count(distinct contact_id))
      from click_attribution where campaign_id = :automationId and coalesce(arm, 0) = n.step) as clicks
  from generate_series(0, :steps::int - 1) as n (step) left join (
    select step, count(*) filter (where status = 'sent') as sent, count(*) filter (where status = 'unknown') as unknown,
      count(*) filter (where status = 'skipped') as skipped
    from automation_step where automation_id = :automationId group by step) t using (step)
    left join (
    select step, sum(entries) filter (where status = 'sent') as sent, sum(entries) filter (where status = 'unknown') as unknown,
      sum(entries) filter (where status = 'skipped') as skipped
    from automation_step_sum where automation_id = :automationId group by step) g using (step)
  order by n.step`;

const selectDays = `
  select to_char(day, 'YYYY-MM-DD') as date, coalesce(sum(entered), 0)::int as entered, coalesce(sum(sent), 0)::int as sent,
    coalesce(sum(skipped), 0)::int as skipped, coalesce(sum(clicks), 0)::int as clicks
  from (
    select (entered_at at time zone 'UTC')::date as day, count(*) as entered,
      count(*) filter (where status = 'sent') as sent, count(*) filter (where status = 'skipped') as skipped, 0 as clicks
    from automation_entry where automation_id = :automationId group by 1
    union all
    select day, entries, case status when 'sent' then entries else 0 end, case status when 'skipped' then entries else 0 end, 0
    from automation_sum where automation_id = :automationId
    union all
    select (at at time zone 'UTC')::date, 0, 0, 0, clicks from click_hour
    where tenant_id = :tenantId and campaign_id = :automationId) counted
  group by day order by day`;

const withoutContact = `(
  select count(*) from automation a join campaign c on c.campaign_id = a.automation_id
    join revenue_entry r on r.tenant_id = a.tenant_id and takes_order(a, r)
    join campaign o on o.campaign_id = r.campaign_id and o.service_number_id = c.service_number_id
  where a.automation_id = :automationId and a.event in ('order.paid', 'order.refunded') and r.at > a.activated_at
    and (c.ends_at is null or r.at <= c.ends_at) and contact_of_order(r) is null)`;

async function readSkipped(transaction: Transaction, { automationId }: AutomationKey): Promise<Results['skipped']> {
  const found = await rows<{ reason: string; count: number }>(
    transaction,
    `select reason, sum(count)::int as count from (
       select reason, count(*) as count from automation_entry
       where automation_id = :automationId and status = 'skipped' group by 1
       union all select reason, entries from automation_sum
       where automation_id = :automationId and status = 'skipped') counted group by 1 order by 1`,
    { automationId },
  );
  return Object.fromEntries(found.map(({ reason, count }) => [reason, count]));
}

async function readSteps(transaction: Transaction, automation: AutomationRecord): Promise<Results['steps']> {
  const { tenantId, automationId, timing } = automation;
  const key = { tenantId, campaignId: automationId };
  const steps: Results['steps'] = [];
  for (const step of await rows<Omit<Results['steps'][number], 'byCase'>>(transaction, selectSteps, {
    automationId,
    steps: timing.length,
  }))
    steps.push({ ...step, byCase: await readCases(transaction, key, automation, step.step) });
  return steps;
}

/** What became of the entries of an automation, as of one point in time; its counts are those that were read with it. */
export function readAutomationResults(
  database: Database,
  automation: AutomationRecord,
): Promise<Omit<Results, 'counts'>> {
  const { tenantId, automationId } = automation;
  const bindings = { tenantId, automationId };
  return database.transaction(
    async (transaction) => {
      const whole = await firstRow<Pick<Results, 'summary' | 'conversations' | 'withoutContact'>>(
        transaction,
        `select ${summary('where campaign_id = :automationId')} as summary, ${withoutContact} as without_contact,
           (select json_build_object('opened', coalesce(sum(opened), 0), 'closed', coalesce(sum(closed), 0))
            from conversation_hour where tenant_id = :tenantId and campaign_id = :automationId) as conversations`,
        bindings,
      );
      if (!whole) throw new Error('An aggregate returned no row');
      return {
        ...whole,
        skipped: await readSkipped(transaction, automation),
        clicks: await readClicks(transaction, { tenantId, campaignId: automationId }, messagesByPlace(automation)),
        steps: await readSteps(transaction, automation),
        days: await rows<Results['days'][number]>(transaction, selectDays, bindings),
      };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}
