import type { Transaction } from '#db/database.ts';
import { preparedRows, type Prepared } from '#db/prepared.ts';
import { ordinalOfContact } from '../contacts/ordinals.ts';
import { withPlannerMethodsDisabled } from '../planner-methods.ts';

export interface AttributedClick {
  tenantId: string;
  taskId: string;
  contactId: string;
  noticeId: string;
  actionIndex: number;
  /** Among the messages of all variants. */
  messageIndex: number | null;
  /** For which variant its contact was drawn; null without any. */
  arm: number | null;
  /** Of its sub-task; null without cases. */
  messageCase: number | null;
  campaignId: string;
  bizEventCode: string | null;
  eventId: string;
  clickedAt: Date;
}

const identity = (click: AttributedClick) =>
  JSON.stringify([click.tenantId, click.taskId, click.contactId, click.noticeId, click.actionIndex, click.campaignId]);

/** The lock of the roll-ups: clicks with the same key are stored by one transaction at a time. */
const lockTenants: Prepared = {
  name: 'lock-roll-ups-of-clicks',
  sql: `
  select pg_advisory_xact_lock(hashtextextended('roll_up_clicks ' || tenant_id, 0))
  from (select distinct unnest(:tenantIds::text[]) as tenant_id order by 1) tenants`,
};

/**
 * Counts what repeats a stored click, in whichever month that was. The empty text keeps the planner off the campaign's index,
 * which leads to all its clicks.
 */
const countRepeats: Prepared = {
  name: 'count-repeated-clicks',
  sql: `
  update click_attribution k
  set repeats = k.repeats + g.repeats + case when k.event_id = g.event_id then 0 else 1 end
  from unnest(:tenantIds::text[], :taskIds::text[], :contactIds::text[], :noticeIds::text[], :actionIndexes::int[],
      :campaignIds::text[], :eventIds::text[], :repeats::int[])
    with ordinality as g(tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, repeats, position)
  where k.tenant_id = g.tenant_id and k.task_id = g.task_id and k.contact_id = g.contact_id
    and k.notice_id = g.notice_id and k.action_index = g.action_index and k.campaign_id || '' = g.campaign_id
  returning g.position`,
};

const insertClicks: Prepared = {
  name: 'store-clicks',
  sql: `
  insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, message_index, campaign_id,
    biz_event_code, event_id, clicked_at, repeats, arm, message_case, contact_ordinal, stored_at)
  select g.*, ${ordinalOfContact('g')}, :now::timestamptz
  from unnest(:tenantIds::text[], :taskIds::text[], :contactIds::text[], :noticeIds::text[],
    :actionIndexes::int[], :messageIndexes::int[], :campaignIds::text[], :bizEventCodes::text[], :eventIds::text[],
    :times::timestamptz[], :repeats::int[], :arms::smallint[],
    :messageCases::smallint[]) as g(tenant_id, task_id, contact_id, notice_id, action_index, message_index,
    campaign_id, biz_event_code, event_id, clicked_at, repeats, arm, message_case)
  order by 1, 2, 3, 4, 5, 7`,
};

type Counted = AttributedClick & { repeats: number };

/** One statement cannot touch the same row twice, so repeats within a batch are counted beforehand. */
function groupRepeats(clicks: AttributedClick[]): Counted[] {
  const groups = new Map<string, Counted>();
  for (const click of clicks) {
    const first = groups.get(identity(click));
    if (first) first.repeats += 1;
    else groups.set(identity(click), { ...click, repeats: 0 });
  }
  return [...groups.values()];
}

function columnsOf(clicks: Counted[]) {
  const column = <Name extends keyof Counted>(name: Name) => clicks.map((click) => click[name]);
  return {
    tenantIds: column('tenantId'),
    taskIds: column('taskId'),
    contactIds: column('contactId'),
    noticeIds: column('noticeId'),
    actionIndexes: column('actionIndex'),
    messageIndexes: column('messageIndex'),
    campaignIds: column('campaignId'),
    bizEventCodes: column('bizEventCode'),
    eventIds: column('eventId'),
    times: column('clickedAt').map((time) => time.toISOString()),
    repeats: column('repeats'),
    arms: column('arm'),
    messageCases: column('messageCase'),
  };
}

/**
 * One row per (campaign, task, contact, notice, action): the first event; every further event with the same key
 * counts as a repeat.
 */
export async function storeClicks(transaction: Transaction, clicks: AttributedClick[], now: Date): Promise<void> {
  if (clicks.length === 0) return;
  const grouped = groupRepeats(clicks);
  const columns = columnsOf(grouped);
  await preparedRows(transaction, lockTenants, { tenantIds: columns.tenantIds });
  // Each is looked up by its key: without statistics of a young month, the planner would read all that is there.
  const repeated = await withPlannerMethodsDisabled(transaction, ['seqscan', 'hashjoin', 'mergejoin', 'material'], () =>
    preparedRows<{ position: number }>(transaction, countRepeats, columns),
  );
  const known = new Set(repeated.map(({ position }) => position - 1));
  const firsts = grouped.filter((_, index) => !known.has(index));
  if (firsts.length > 0)
    await preparedRows(transaction, insertClicks, { ...columnsOf(firsts), now: now.toISOString() });
}
