import type { Transaction } from '../../../db/database.ts';
import {
  type AttributedClick,
  type ClickTarget,
  storeClicks,
  targetsByKey,
  targetsByTask,
} from '../../../db/outreach/attribution.ts';
import { type EventOutcome, wakeWaiting } from '../../../db/outreach/inbox-batch.ts';
import { resolveAsSent } from '../../../db/outreach/ledger-evidence.ts';
import { recordTestTasks, testTasks } from '../../../db/outreach/test-sends.ts';
import { type NoticeClicked, noticeClickedSchema } from '../../../domain/api/events.ts';
import { type ClickOrigin, findMessageIndex, readClickOrigin, TEST_KEY_PREFIX } from '../../../domain/postback.ts';
import { type BatchContext, processed, type ReadEvent, withData } from './handler.ts';

interface Click extends ReadEvent<NoticeClicked> {
  origin: ClickOrigin;
}

const idOf = (tenantId: string, value: string) => `${tenantId} ${value}`;

interface Targets {
  byTask: Map<string, ClickTarget>;
  byKey: Map<string, ClickTarget>;
}

/** Sub-tasks by the click's taskId; only where that is not known, by the key that its Postback data names. */
async function findTargets(transaction: Transaction, clicks: Click[]): Promise<Targets> {
  const tasks = clicks.map(({ event, data }) => ({ tenantId: event.tenantId, value: data.taskId }));
  const found = await targetsByTask(transaction, tasks);
  const byTask = new Map(found.map((target) => [idOf(target.tenantId, target.taskId ?? ''), target]));
  const keys = clicks.flatMap(({ event, data, origin }) =>
    origin.subTaskKey === null || byTask.has(idOf(event.tenantId, data.taskId))
      ? []
      : [{ tenantId: event.tenantId, value: origin.subTaskKey }],
  );
  const named = await targetsByKey(transaction, keys);
  return { byTask, byKey: new Map(named.map((target) => [idOf(target.tenantId, target.key), target])) };
}

const contextOf = (taskId: string) => `task:${taskId}`;

/** A click that names the key of an `unknown` sub-task proves that the platform has it, and as which task. */
async function takeAsEvidence(
  transaction: Transaction,
  { event, data }: Click,
  target: ClickTarget,
  context: BatchContext,
): Promise<void> {
  const { tenantId, key } = target;
  const campaignId = await resolveAsSent(transaction, { tenantId, key, taskId: data.taskId, now: context.now });
  if (campaignId === null) return;
  await wakeWaiting(transaction, [{ tenantId, for: contextOf(data.taskId) }]);
  context.polls.set(campaignId, { tenantId: event.tenantId, campaignId });
}

function attributed({ event, data, origin }: Click, target: ClickTarget): AttributedClick {
  const { type, url } = data.action;
  return {
    tenantId: event.tenantId,
    taskId: data.taskId,
    contactId: data.contactId,
    noticeId: data.noticeId,
    actionIndex: data.actionIndex,
    messageIndex:
      origin.messageIndex ??
      findMessageIndex(target.messages, { actionIndex: data.actionIndex, type, url: url ?? null }),
    campaignId: target.campaignId,
    bizEventCode: origin.bizEventCode,
    eventId: event.eventId,
    clickedAt: new Date(data.clickedAt),
  };
}

/**
 * Tasks of test sends, whose clicks count nowhere: Postback data names a test's key, and so tells its task; a Url
 * click has only the task.
 */
async function findTests(transaction: Transaction, clicks: Click[], now: Date): Promise<Set<string>> {
  const named = clicks.flatMap(({ event: { tenantId }, data: { taskId }, origin: { subTaskKey: key } }) =>
    key?.startsWith(TEST_KEY_PREFIX) ? [{ tenantId, key, taskId }] : [],
  );
  await recordTestTasks(transaction, named, now);
  const tasks = clicks.map(({ event, data }) => ({ tenantId: event.tenantId, value: data.taskId }));
  const found = await testTasks(transaction, tasks);
  return new Set(found.map(({ tenantId, taskId }) => idOf(tenantId, taskId)));
}

/** handle_notice_clicked: attributes clicks to campaigns, and takes them as evidence for what became of a sub-task. */
export const attributeClicks = withData(noticeClickedSchema, async (transaction, events, context) => {
  const clicks = events.map((read) => ({ ...read, origin: readClickOrigin(read.data.action.data) }));
  const { byTask, byKey } = await findTargets(transaction, clicks);
  const tests = await findTests(transaction, clicks, context.now);
  const found: AttributedClick[] = [];
  const outcomes: EventOutcome[] = [];
  for (const click of clicks) {
    const { tenantId } = click.event;
    const { subTaskKey } = click.origin;
    if (subTaskKey?.startsWith(TEST_KEY_PREFIX) || tests.has(idOf(tenantId, click.data.taskId))) {
      outcomes.push(processed);
      continue;
    }
    const byName = subTaskKey === null ? undefined : byKey.get(idOf(tenantId, subTaskKey));
    if (byName?.status === 'unknown') await takeAsEvidence(transaction, click, byName, context);
    // While the call is still open its answer brings the taskId.
    const target =
      byTask.get(idOf(tenantId, click.data.taskId)) ?? (byName?.status === 'submitting' ? undefined : byName);
    if (target) found.push(attributed(click, target));
    outcomes.push(target ? processed : { kind: 'waits', for: contextOf(click.data.taskId) });
  }
  await storeClicks(transaction, found);
  return outcomes;
});
