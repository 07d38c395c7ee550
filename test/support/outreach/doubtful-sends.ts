import { expect } from 'chai';
import { type Database, rows } from '#db/database.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { readProgress } from '#db/outreach/sends/progress.ts';
import { resolveSubTask } from '#commands/outreach/sends/resolve-sub-task.ts';
import { retryFailed } from '#commands/outreach/sends/retry-failed.ts';
import { openSendingSite } from '../services/sending-site.ts';
import { eventCommand, inboxOf } from './inbox-events.ts';
import { readTasks, type TestSend } from './rows.ts';

/** A tenant's sends whose sub-tasks operators resolve, rightly and wrongly, and retry, while clicks arrive. */
export async function openDoubtfulSends(database: Database) {
  const site = await openSendingSite(database);
  const inbox = inboxOf(database);
  const author = () => ({ tenantId: site.tenant.tenantId, userId: 'u1', requestId: null });

  async function notSent(send: TestSend, key: string): Promise<void> {
    const now = new Date();
    const outcome = { outcome: 'not_sent' as const };
    await rows(database, `update broadcast_task set submitting_since = now() - interval '1 minute' where key = :key`, {
      key,
    });
    await resolveSubTask(database, author(), { campaignId: send.campaignId, key, outcome, submittedBefore: now, now });
  }

  /** Sub-tasks whose responses were lost, and which an operator wrongly says were not sent. */
  async function wronglyNotSent(chunks: number[]): Promise<TestSend> {
    const send = await site.seedSend({ chunks });
    site.platform.behave(({ route }) => (route === 'A1' ? 'reset' : null));
    await site.submit(send);
    site.platform.behave(() => null);
    for (const key of send.keys) await notSent(send, key);
    return send;
  }

  /** The retry's send, with nothing submitted yet. */
  async function retry(send: TestSend): Promise<TestSend> {
    const asked = (await readTasks(database, send)).map(({ key }) => key);
    const request = { idempotencyKey: null, now: new Date(), asked };
    const { dispatch } = await retryFailed(database, author(), send.campaignId, request);
    if (!dispatch) throw new Error('nothing was retried');
    return { ...send, ...dispatch };
  }

  const clicked = (key: string, contactId = 'c0-1') =>
    eventCommand(site.tenant, 'notice.clicked', {
      taskId: `task-${key}`,
      noticeId: 'n1',
      actionIndex: 0,
      action: { type: 'Postback', data: JSON.stringify({ subTaskKey: key, messageIndex: 0 }) },
      contactId,
      clickedAt: new Date().toISOString(),
    });

  async function click(key: string): Promise<void> {
    await inbox.store(clicked(key));
    await inbox.handle();
  }

  async function pollAll(send: TestSend): Promise<void> {
    await site.due(send);
    await site.poll(send);
  }

  /** What people see: the contacts by status, which always add up, and how many got it twice. */
  async function seen(send: TestSend) {
    const progress = await readProgress(database, send, new Date());
    const campaign = await findCampaign(database, send.tenantId, send.campaignId);
    const contacts = Object.fromEntries(
      Object.entries(progress?.subTasks ?? {}).map(([status, state]) => [status, state.contacts]),
    );
    const preparing = progress?.preparing.contacts ?? 0;
    expect(Object.values(contacts).reduce((sum, count) => sum + count, preparing)).to.equal(progress?.audienceCount);
    return {
      status: campaign?.status,
      sentTwice: campaign?.sentTwice,
      contacts: preparing === 0 ? contacts : { ...contacts, preparing },
    };
  }

  return { site, inbox, author, notSent, wronglyNotSent, retry, clicked, click, pollAll, seen };
}

export type DoubtfulSends = Awaited<ReturnType<typeof openDoubtfulSends>>;
