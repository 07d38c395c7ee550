import type { SubTaskStatus } from '#domain/api/campaign.ts';
import type { NoticeClicked } from '#domain/api/events.ts';
import type { Message } from '#domain/api/messages.ts';
import type { ClickOrigin } from '#domain/campaigns/postback.ts';
import { type LinkedCampaign, linkedMessages } from '#domain/campaigns/templates/utm.ts';
import { messagesOf, type VariedMessages } from '#domain/campaigns/variants/variants.ts';
import { rows, type Transaction } from '#db/database.ts';

/** What a click can belong to. */
export interface ClickTarget {
  tenantId: string;
  taskId: string | null;
  key: string;
  status: SubTaskStatus;
  /** Null until the platform reported it. */
  sent: number | null;
  campaignId: string;
  /** When the sub-task was submitted; null if unknown. */
  since: Date | null;
  /** Those of its variant, as they are written, and with their links as they were sent. */
  messages: Message[];
  sentMessages: Message[];
  /** Whose messages it has, and for which its contacts were drawn; null without variants. */
  variant: number | null;
  arm: number | null;
  /** Which case its contacts are of; null without cases. */
  messageCase: number | null;
}

/** What a click says about where it belongs. */
export interface ClickSource {
  tenantId: string;
  taskId: string;
  serviceNumberId: string | null;
  /** The sub-task that its Postback data names. */
  subTaskKey: string | null;
  receivedAt: Date;
}

export const clickSource = (
  { tenantId, serviceNumberId, receivedAt }: { tenantId: string; serviceNumberId: string | null; receivedAt: Date },
  data: NoticeClicked,
  { subTaskKey }: ClickOrigin,
): ClickSource => ({
  tenantId,
  taskId: data.taskId,
  serviceNumberId: serviceNumberId ?? data.serviceNumberId ?? null,
  subTaskKey,
  receivedAt,
});

/** `test`: the click of a test send, which is not counted anywhere. `none`: its task is unknown. */
export type FoundTarget = { kind: 'subTask'; target: ClickTarget } | { kind: 'test' } | { kind: 'none' };

type SubTask = Omit<ClickTarget, 'messages' | 'sentMessages'>;
type Content = VariedMessages & LinkedCampaign;

/** Who got a task id from the platform, and when. */
type Holder = { serviceNumberId: string | null; since: Date | null; taskId: string; tenantId: string; key: string } & (
  | {
      test: false;
      status: SubTaskStatus;
      sent: number | null;
      campaignId: string;
      variant: number | null;
      arm: number | null;
      messageCase: number | null;
    }
  | { test: true; status: null; sent: null; campaignId: string; variant: null; arm: null; messageCase: null }
);

const holdersSql = `
  with wanted as (select distinct * from unnest(:tenantIds::text[], :taskIds::text[]) as g(tenant_id, task_id))
  select t.tenant_id, t.task_id, t.key, t.status, t.sent, t.campaign_id, c.service_number_id, t.submitted_at as since, false as test,
    t.variant, t.arm, t.message_case
  from broadcast_task t join wanted using (tenant_id, task_id) join campaign c using (campaign_id)
  union all
  select s.tenant_id, s.task_id, s.key, null, null, s.campaign_id, c.service_number_id, s.created_at, true, null, null, null
  from test_send s join wanted using (tenant_id, task_id) left join campaign c using (campaign_id)`;

const namedSql = `
  select t.tenant_id, t.task_id, t.key, t.status, t.sent, t.campaign_id, t.submitted_at as since, t.variant, t.arm,
    t.message_case
  from broadcast_task t join (select distinct * from unnest(:tenantIds::text[], :keys::text[])) as g(tenant_id, key)
    using (tenant_id, key)`;

const idOf = (tenantId: string, value: string) => `${tenantId} ${value}`;

const newestFirst = (one: Holder, other: Holder) =>
  (other.since?.getTime() ?? 0) - (one.since?.getTime() ?? 0) || (one.key < other.key ? 1 : -1);

/**
 * Whom a click belongs to if the platform issued its task id more than once: among the tasks of the click's service
 * number, if it is one of theirs, the one that had received the id last when the click came. Later ones change
 * nothing, so that a backtest gives the same result.
 */
function holderOf(holders: Holder[], click: ClickSource): Holder | undefined {
  const near = holders.filter(({ serviceNumberId }) => serviceNumberId === click.serviceNumberId);
  const ordered = (near.length > 0 ? near : holders).toSorted(newestFirst);
  return ordered.find(({ since }) => since === null || since <= click.receivedAt) ?? ordered.at(-1);
}

function byTask(holders: Holder[]): Map<string, Holder[]> {
  const groups = new Map<string, Holder[]>();
  for (const holder of holders) {
    const id = idOf(holder.tenantId, holder.taskId);
    const group = groups.get(id);
    if (group) group.push(holder);
    else groups.set(id, [holder]);
  }
  return groups;
}

/** The sub-tasks that clicks name, in addition to those that hold the clicks' tasks anyway. */
async function readNamed(
  transaction: Transaction,
  clicks: ClickSource[],
  holders: Map<string, Holder[]>,
): Promise<Map<string, SubTask>> {
  const named = new Map<string, SubTask>();
  const missing = clicks.filter(({ tenantId, taskId, subTaskKey }) => {
    const holder = holders.get(idOf(tenantId, taskId))?.find(({ key }) => key === subTaskKey);
    if (holder && !holder.test) named.set(idOf(tenantId, holder.key), holder);
    return subTaskKey !== null && !holder;
  });
  if (missing.length === 0) return named;
  const found = await rows<SubTask>(transaction, namedSql, {
    tenantIds: missing.map(({ tenantId }) => tenantId),
    keys: missing.map(({ subTaskKey }) => subTaskKey),
  });
  for (const subTask of found) named.set(idOf(subTask.tenantId, subTask.key), subTask);
  return named;
}

/** Decided by the click's own data, else by the holder of its task, else by the sub-task it names. */
function choose(click: ClickSource, named: SubTask | undefined, holders: Holder[]): SubTask | 'test' | null {
  if (named?.taskId === click.taskId) return named;
  if (named?.taskId === null && ['submitting', 'unknown', 'rejected'].includes(named.status)) return named;
  const holder = holderOf(holders, click);
  if (holder) return holder.test ? 'test' : holder;
  return named ?? null;
}

/** Messages are read once per campaign, not once per sub-task. */
async function readMessages(transaction: Transaction, campaignIds: Set<string>): Promise<Map<string, Content>> {
  if (campaignIds.size === 0) return new Map();
  const found = await rows<Content & { campaignId: string }>(
    transaction,
    'select campaign_id, messages, messages_by, variants, utm, sent_name, name from campaign where campaign_id = any(:ids)',
    { ids: [...campaignIds] },
  );
  return new Map(found.map(({ campaignId, ...content }) => [campaignId, content]));
}

/** Where each click belongs, in the order of the clicks: the same for live processing and a backtest. */
export async function findClickTargets(transaction: Transaction, clicks: ClickSource[]): Promise<FoundTarget[]> {
  if (clicks.length === 0) return [];
  const holders = byTask(
    await rows<Holder>(transaction, holdersSql, {
      tenantIds: clicks.map(({ tenantId }) => tenantId),
      taskIds: clicks.map(({ taskId }) => taskId),
    }),
  );
  const named = await readNamed(transaction, clicks, holders);
  const chosen = clicks.map((click) =>
    choose(
      click,
      click.subTaskKey === null ? undefined : named.get(idOf(click.tenantId, click.subTaskKey)),
      holders.get(idOf(click.tenantId, click.taskId)) ?? [],
    ),
  );
  const subTasks = chosen.filter((found) => found !== null && found !== 'test');
  const contents = await readMessages(transaction, new Set(subTasks.map(({ campaignId }) => campaignId)));
  return chosen.map((found): FoundTarget => {
    if (found === null) return { kind: 'none' };
    if (found === 'test') return { kind: 'test' };
    const { tenantId, taskId, key, status, sent, campaignId, since, variant, arm, messageCase } = found;
    const known = { tenantId, taskId, key, status, sent, campaignId, since, variant, arm, messageCase };
    const content = contents.get(campaignId);
    const messages = content ? messagesOf(content, variant, messageCase) : [];
    const sentMessages = content ? linkedMessages(messages, content) : messages;
    return { kind: 'subTask', target: { ...known, messages, sentMessages } };
  });
}
