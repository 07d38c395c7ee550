import { rows, type Transaction } from '../../database.ts';

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
  JSON.stringify([click.tenantId, click.taskId, click.contactId, click.noticeId, click.actionIndex, click.campaignId]);

/**
 * One row per (campaign, task, contact, notice, action): the first event; every further event with the same key
 * counts as a repeat.
 */
export async function storeClicks(transaction: Transaction, clicks: AttributedClick[]): Promise<void> {
  if (clicks.length === 0) return;
  // One statement cannot touch the same row twice, so repeats within the batch are counted beforehand.
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
     order by 1, 2, 3, 4, 5, 7
     on conflict (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id) do update
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
