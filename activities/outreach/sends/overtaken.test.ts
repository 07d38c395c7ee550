import { expect } from 'chai';
import { rows } from '../../../db/database.ts';
import { readCampaignHistory } from '../../../db/outreach/campaigns/history.ts';
import { findCampaign } from '../../../db/outreach/campaigns/campaigns.ts';
import { readAttention } from '../../../db/outreach/overview/attention.ts';
import { recordAccepted } from '../../../db/outreach/sends/ledger/outcomes.ts';
import { readProgress } from '../../../db/outreach/sends/progress.ts';
import { resolveSubTask } from '../../../db/outreach/sends/resolution.ts';
import { retryFailed } from '../../../db/outreach/sends/retries.ts';
import { useDatabase } from '../../../test/support/fixtures/database.ts';
import { eventCommand, inboxOf } from '../../../test/support/outreach/inbox-events.ts';
import { readTasks, type TestSend } from '../../../test/support/outreach/rows.ts';
import { openSendingSite, type SendingSite } from '../../../test/support/services/sending-site.ts';

describe('sub-tasks that turn out to have been sent', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;
  let inbox: ReturnType<typeof inboxOf>;

  before(() => {
    inbox = inboxOf(database);
  });
  beforeEach(async () => {
    await rows(database, 'delete from event_inbox', {});
    site = await openSendingSite(database);
  });
  afterEach(() => site.close());

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
    const progress = await readProgress(database, send.tenantId, send.campaignId);
    const campaign = await findCampaign(database, send.tenantId, send.campaignId);
    const contacts = Object.fromEntries(
      Object.entries(progress?.subTasks ?? {}).map(([status, state]) => [status, state.contacts]),
    );
    expect(Object.values(contacts).reduce((sum, count) => sum + count, 0)).to.equal(progress?.audienceCount);
    return { status: campaign?.status, sentTwice: campaign?.sentTwice, contacts };
  }

  const refused = async (send: TestSend) => {
    const error = await retry(send).catch((problem: { code?: string }) => problem.code);
    expect(error).to.equal('invalid_state');
  };
  const sentTo = () =>
    site.platform.of('A1').map(({ body }) => (body['audience'] as { contactIds: string[] }).contactIds);

  it('A3: a click shows that an operator was wrong, and nothing is sent again', async () => {
    const send = await wronglyNotSent([3]);
    expect(await seen(send)).to.deep.equal({ status: 'failed', sentTwice: 0, contacts: { rejected: 3 } });
    await click(send.keys[0] ?? '');
    expect((await seen(send)).status).to.equal('sending');
    await refused(send);
    await pollAll(send);
    expect(await seen(send)).to.deep.equal({ status: 'completed', sentTwice: 0, contacts: { completed: 3 } });
    expect(site.platform.of('A1')).to.have.length(1);
  });

  it('A3: a response that comes late does, too', async () => {
    const send = await site.seedSend({ chunks: [3] });
    const [key = ''] = send.keys;
    await rows(database, `update broadcast_task set status = 'unknown', submitting_by = 'me' where key = :key`, {
      key,
    });
    await notSent(send, key);
    const submission = { tenantId: send.tenantId, campaignId: send.campaignId, key, owner: 'me', now: new Date() };
    const accepted = { taskId: `task-${key}`, estimatedRecipientCount: 3, status: 'sending' as const };
    expect(
      await recordAccepted(database, submission, { ...accepted, nextPollAt: new Date(), pollIntervalMs: 100 }),
    ).to.equal(true);
    expect(await seen(send)).to.deep.equal({ status: 'sending', sentTwice: 0, contacts: { sending: 3 } });
  });

  it('A3: says how many got it twice if a retry had sent to them, once', async () => {
    const send = await wronglyNotSent([3]);
    await site.submit(await retry(send));
    await pollAll(send);
    expect((await seen(send)).sentTwice).to.equal(0);
    await click(send.keys[0] ?? '');
    await pollAll(send);
    await pollAll(send);
    expect(await seen(send)).to.deep.equal({ status: 'completed', sentTwice: 3, contacts: { completed: 3 } });
    const { items } = await readCampaignHistory(database, send, { limit: 50 });
    const told = items.flatMap((item) =>
      item.kind === 'change' && item.action === 'campaign.sent_twice' ? [item] : [],
    );
    expect(told.map(({ actor, after }) => [actor, after])).to.deep.equal([['platform', { contacts: 3 }]]);
    const { sentTwice } = await database.transaction((transaction) => readAttention(transaction, send, new Date()));
    expect(sentTwice.items.map(({ campaignId, contacts }) => [campaignId, contacts])).to.deep.equal([
      [send.campaignId, 3],
    ]);
  });

  it('A3: gives the contacts of a retry that was not submitted yet back', async () => {
    const send = await wronglyNotSent([3]);
    const second = await retry(send);
    await click(send.keys[0] ?? '');
    await site.submit(second);
    await pollAll(send);
    expect(site.platform.of('A1')).to.have.length(1);
    expect(await seen(send)).to.deep.equal({ status: 'completed', sentTwice: 0, contacts: { completed: 3 } });
  });

  it('A3: gives the contacts of a retry that was rejected back, and does not retry them again', async () => {
    const send = await wronglyNotSent([3]);
    site.platform.behave(({ route }) => (route === 'A1' ? { status: 400, body: { code: 'invalid_request' } } : null));
    await site.submit(await retry(send));
    site.platform.behave(() => null);
    expect((await seen(send)).contacts).to.deep.equal({ rejected: 3 });
    await click(send.keys[0] ?? '');
    await refused(send);
    await pollAll(send);
    expect(await seen(send)).to.deep.equal({ status: 'completed', sentTwice: 0, contacts: { completed: 3 } });
  });

  it('A3: keeps only those from a retry who have got it', async () => {
    const send = await wronglyNotSent([2, 3]);
    const second = await retry(send);
    await click(send.keys[0] ?? '');
    expect((await seen(send)).contacts).to.deep.equal({ sending: 2, pending: 3 });
    await site.submit(second);
    expect(sentTo().at(-1)).to.deep.equal(['c1-1', 'c1-2', 'c1-3']);
    await pollAll(send);
    expect(await seen(send)).to.deep.equal({ status: 'completed', sentTwice: 0, contacts: { completed: 5 } });
  });

  it('A3: counts those whom a split retry was sent to, and never retries the rest', async () => {
    const send = await wronglyNotSent([3]);
    const second = await retry(send);
    site.platform.behave(({ route, earlier, body }) => {
      const { contactIds } = (body['audience'] ?? { contactIds: [] }) as { contactIds: string[] };
      const unknown = route === 'A1' && earlier === 0 && contactIds.includes('c0-1');
      return unknown ? { status: 400, body: { code: 'contact_not_found', contactIds: ['c0-1'] } } : null;
    });
    await site.submit(second);
    await pollAll(send);
    expect((await seen(send)).contacts).to.deep.equal({ rejected: 1, completed: 2 });
    await click(send.keys[0] ?? '');
    await pollAll(send);
    expect(await seen(send)).to.include({ sentTwice: 2 });
    await refused(send);
    expect((await seen(send)).contacts).to.deep.equal({ rejected: 1, completed: 2 });
  });

  it('finding 1: counts a failed task that is sent after a retry', async () => {
    const send = await site.seedSend({ chunks: [3] });
    await site.submit(send);
    const failed = { status: 200, body: { status: 'failed', summary: { sent: 0 } } };
    site.platform.behave(({ route }) => (route === 'A2' ? failed : null));
    await pollAll(send);
    await site.submit(await retry(send));
    site.platform.behave(() => null);
    await pollAll(send);
    expect(await seen(send)).to.deep.equal({ status: 'completed', sentTwice: 3, contacts: { completed: 3 } });
  });

  it('A3: cancels a scheduled task whose contacts a retry has taken over', async () => {
    const at = new Date(Date.now() + 3_600_000);
    const send = await site.seedSend({ chunks: [3], at });
    const [key = ''] = send.keys;
    site.platform.behave(({ route }) => (route === 'A1' ? 'reset' : null));
    await site.submit(send);
    await notSent(send, key);
    site.platform.behave(() => null);
    await site.submit(await retry(send));
    site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'scheduled' } } : null));
    await click(key);
    await pollAll(send);
    await site.poll(send);
    expect(site.platform.of('A3').map(({ path }) => path)).to.deep.equal([
      `/openapi/v1/service-numbers/sn-1/broadcasts/task-${key}:cancel`,
    ]);
    expect(await seen(send)).to.include({ sentTwice: 0 });
  });

  it('A4: takes a status back that was only assumed', async () => {
    const send = await site.seedSend({ chunks: [3] });
    const [key = ''] = send.keys;
    await rows(database, `update broadcast_task set status = 'unknown' where key = :key`, { key });
    await click(key);
    site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'scheduled' } } : null));
    await pollAll(send);
    expect((await seen(send)).contacts).to.deep.equal({ scheduled: 3 });
    site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'sending' } } : null));
    await pollAll(send);
    site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'scheduled' } } : null));
    await pollAll(send);
    expect((await seen(send)).contacts).to.deep.equal({ sending: 3 });
  });

  it('A3: settles clicks and retries that come at once without a deadlock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const send = await wronglyNotSent([3]);
      await inbox.store(clicked(send.keys[0] ?? ''));
      const [retried] = await Promise.all([retry(send).catch(() => null), inbox.handle()]);
      if (retried) await site.submit(retried);
      await pollAll(send);
      const { contacts, sentTwice } = await seen(send);
      expect([contacts, sentTwice]).to.deep.equal([{ completed: 3 }, 0]);
    }
    expect(sentTo()).to.have.length(5);
  });
});
