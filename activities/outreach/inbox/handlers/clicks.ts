import type { Transaction } from '#db/database.ts';
import { type AttributedClick, storeClicks } from '#db/outreach/clicks/attribution.ts';
import { clickSource, type ClickTarget, findClickTargets, type FoundTarget } from '#db/outreach/clicks/targets.ts';
import type { EventOutcome } from '#db/outreach/inbox/batch.ts';
import { lockCampaigns } from '#db/outreach/sends/ledger/campaign-lock.ts';
import { clickedTask } from '#db/outreach/sends/ledger/evidence.ts';
import { resolveAsSent } from '#commands/outreach/sends/ledger/evidence.ts';
import { recordTestTasks } from '#db/outreach/sends/test-sends.ts';
import { type NoticeClicked, noticeClickedSchema } from '#domain/api/events.ts';
import { isDisproved } from '#domain/campaigns/states.ts';
import { type ClickOrigin, findMessageIndex, readClickOrigin, TEST_KEY_PREFIX } from '#domain/campaigns/postback.ts';
import { placeOf } from '#domain/campaigns/variants/variants.ts';
import { type BatchContext, noLaterThan, processed, type ReadEvent, withData } from './handler.ts';

interface Click extends ReadEvent<NoticeClicked> {
  origin: ClickOrigin;
}

const contextOf = (taskId: string) => `task:${taskId}`;

/**
 * A click on a sub-task in doubt, or that counts as failed with nothing sent, proves that the platform has sent it, and
 * under which task id, whatever an operator or the platform has said.
 */
async function takeAsEvidence(
  transaction: Transaction,
  { event, data }: Click,
  target: ClickTarget,
  context: BatchContext,
): Promise<void> {
  const { tenantId, key } = target;
  const campaignId = await resolveAsSent(transaction, { tenantId, key, now: context.now }, clickedTask(data.taskId));
  if (campaignId === null) return;
  context.polls.set(campaignId, { tenantId: event.tenantId, campaignId });
}

/** Where the button is among those of all variants; null if the click does not say, and its message is not plain. */
function placeClicked({ data, origin }: Click, target: ClickTarget): number | null {
  const { actionIndex, action } = data;
  const { type, url = null } = action;
  const { messages, variant } = target;
  const found = origin.messageIndex ?? findMessageIndex(target, { actionIndex, type, url });
  if (found !== null) return placeOf(variant, found);
  if (variant === null) return null;
  // The first card with buttons, as it is counted without variants.
  const firstCard = messages.findIndex((one) => one.type === 'buttons');
  return placeOf(variant, Math.max(firstCard, 0));
}

function attributed(click: Click, target: ClickTarget): AttributedClick {
  const { event, data, origin } = click;
  return {
    tenantId: event.tenantId,
    taskId: data.taskId,
    contactId: data.contactId,
    noticeId: data.noticeId,
    actionIndex: data.actionIndex,
    messageIndex: placeClicked(click, target),
    arm: target.arm,
    messageCase: target.messageCase,
    campaignId: target.campaignId,
    bizEventCode: origin.bizEventCode,
    eventId: event.eventId,
    clickedAt: noLaterThan(event.receivedAt, data.clickedAt),
  };
}

/** The recipients of older sends are no longer stored, so a click on one does not change its results. */
const isKept = ({ since }: ClickTarget, { clicksKeptSince }: BatchContext): boolean =>
  since === null || since >= clicksKeptSince;

/** A test's Postback data contains its key, and so identifies its task. */
function testsNamed(clicks: Click[]): Parameters<typeof recordTestTasks>[1] {
  return clicks.flatMap(({ event: { tenantId }, data: { taskId }, origin: { subTaskKey: key } }) =>
    key?.startsWith(TEST_KEY_PREFIX) ? [{ tenantId, key, taskId }] : [],
  );
}

/** Campaigns with a sub-task that a click may be evidence for. */
const doubtful = (targets: FoundTarget[]): string[] =>
  targets.flatMap((found) => (found.kind === 'subTask' && isDisproved(found.target) ? [found.target.campaignId] : []));

/** handle_notice_clicked: attributes clicks to campaigns, and uses them as evidence for the outcome of a sub-task. */
export const attributeClicks = withData(noticeClickedSchema, async (transaction, events, context) => {
  const clicks = events.map((read) => ({ ...read, origin: readClickOrigin(read.data.action.data) }));
  await recordTestTasks(transaction, testsNamed(clicks), context.now);
  const sources = clicks.map(({ event, data, origin }) => clickSource(event, data, origin));
  const targets = await findClickTargets(transaction, sources);
  await lockCampaigns(transaction, doubtful(targets));
  const found: AttributedClick[] = [];
  const outcomes: EventOutcome[] = [];
  for (const [index, click] of clicks.entries()) {
    const belongs = targets[index] ?? { kind: 'none' };
    const waits: EventOutcome = { kind: 'waits', for: contextOf(click.data.taskId) };
    if (click.origin.subTaskKey?.startsWith(TEST_KEY_PREFIX) || belongs.kind === 'test') outcomes.push(processed);
    // While the call is still in progress, its response supplies the taskId.
    else if (belongs.kind === 'none' || belongs.target.status === 'submitting') outcomes.push(waits);
    else {
      if (isDisproved(belongs.target)) await takeAsEvidence(transaction, click, belongs.target, context);
      if (isKept(belongs.target, context)) found.push(attributed(click, belongs.target));
      outcomes.push(processed);
    }
  }
  await storeClicks(transaction, found, context.now);
  return outcomes;
});
