import type { SubTaskStatus } from '../../domain/api/campaign.ts';
import type { Message } from '../../domain/api/messages.ts';
import { rows, type Transaction } from '../database.ts';

/** Where a click can belong to. */
export interface ClickTarget {
  tenantId: string;
  taskId: string | null;
  key: string;
  status: SubTaskStatus;
  campaignId: string;
  messages: Message[];
}

async function findTargets(
  transaction: Transaction,
  column: 'task_id' | 'key',
  wanted: { tenantId: string; value: string }[],
): Promise<ClickTarget[]> {
  if (wanted.length === 0) return [];
  const found = await rows<Omit<ClickTarget, 'messages'>>(
    transaction,
    `select t.tenant_id as "tenantId", t.task_id as "taskId", t.key, t.status, t.campaign_id as "campaignId"
     from broadcast_task t join (select distinct * from unnest(:tenantIds::text[], :values::text[])) as g(tenant_id, value)
       on t.tenant_id = g.tenant_id and t.${column} = g.value`,
    { tenantIds: wanted.map(({ tenantId }) => tenantId), values: wanted.map(({ value }) => value) },
  );
  // Messages are read once a campaign, not once a sub-task.
  const campaigns = await rows<{ campaignId: string; messages: Message[] }>(
    transaction,
    'select campaign_id as "campaignId", messages from campaign where campaign_id = any(:ids)',
    { ids: [...new Set(found.map(({ campaignId }) => campaignId))] },
  );
  const messages = new Map(campaigns.map((campaign) => [campaign.campaignId, campaign.messages]));
  return found.map((target) => ({ ...target, messages: messages.get(target.campaignId) ?? [] }));
}

/** Sub-tasks by the platform's task ids. */
export const targetsByTask = (transaction: Transaction, wanted: { tenantId: string; value: string }[]) =>
  findTargets(transaction, 'task_id', wanted);

/** Sub-tasks by our own keys. */
export const targetsByKey = (transaction: Transaction, wanted: { tenantId: string; value: string }[]) =>
  findTargets(transaction, 'key', wanted);

export interface AttributedClick {
  tenantId: string;
  taskId: string;
  contactId: string;
  noticeId: string;
  actionIndex: number;
  messageIndex: number | null;
  campaignId: string;
  bizEventCode: string | null;
  eventId: string;
  clickedAt: Date;
}

const identity = (click: AttributedClick) =>
  JSON.stringify([click.tenantId, click.taskId, click.contactId, click.noticeId, click.actionIndex]);

/** One row per (task, contact, notice, action): the first event; every other event of the same counts as a repeat. */
export async function storeClicks(transaction: Transaction, clicks: AttributedClick[]): Promise<void> {
  if (clicks.length === 0) return;
  // One statement cannot meet the same row twice, so repeats within the batch are counted before.
  const groups = new Map<string, AttributedClick & { repeats: number }>();
  for (const click of clicks) {
    const first = groups.get(identity(click));
    if (first) first.repeats += 1;
    else groups.set(identity(click), { ...click, repeats: 0 });
  }
  const firsts = [...groups.values()];
  const column = <Name extends keyof (typeof firsts)[number]>(name: Name) => firsts.map((click) => click[name]);
  await rows(
    transaction,
    `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, message_index, campaign_id,
       biz_event_code, event_id, clicked_at, repeats)
     select * from unnest(:tenantIds::text[], :taskIds::text[], :contactIds::text[], :noticeIds::text[],
       :actionIndexes::int[], :messageIndexes::int[], :campaignIds::text[], :bizEventCodes::text[], :eventIds::text[],
       :times::timestamptz[], :repeats::int[])
     order by 1, 2, 3, 4, 5
     on conflict (tenant_id, task_id, contact_id, notice_id, action_index) do update
       set repeats = click_attribution.repeats + excluded.repeats
         + case when click_attribution.event_id = excluded.event_id then 0 else 1 end`,
    {
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
    },
  );
}
