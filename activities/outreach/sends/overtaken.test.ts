import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { readCampaignHistory } from '#db/outreach/campaigns/history.ts';
import { readAttention } from '#db/outreach/overview/attention.ts';
import { recordAccepted } from '#commands/outreach/sends/ledger/outcomes.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { type DoubtfulSends, openDoubtfulSends } from '#test/support/outreach/doubtful-sends.ts';
import type { TestSend } from '#test/support/outreach/rows.ts';

describe('sub-tasks that turn out to have been sent', () => {
  const database = useDatabase('outreach');
  let sends: DoubtfulSends;

  beforeEach(async () => {
    await rows(database, 'delete from event_inbox', {});
    sends = await openDoubtfulSends(database);
  });
  afterEach(() => sends.site.close());

  const refused = async (send: TestSend) => {
    const error = await sends.retry(send).catch((problem: { code?: string }) => problem.code);
    expect(error).to.equal('invalid_state');
  };
  const sentTo = () =>
    sends.site.platform.of('A1').map(({ body }) => (body['audience'] as { contactIds: string[] }).contactIds);

  /** Retries, whereupon the responses are lost and an operator says that it was not sent. Keys of its sub-tasks. */
  async function lostAndDenied(send: TestSend): Promise<string[]> {
    const { dispatchId } = await sends.retry(send);
    sends.site.platform.behave(({ route }) => (route === 'A1' ? 'reset' : null));
    await sends.site.submit({ ...send, dispatchId });
    sends.site.platform.behave(() => null);
    const found = await rows<{ key: string }>(
      database,
      `select key from broadcast_task where dispatch_id = :dispatchId order by chunk`,
      { dispatchId },
    );
    for (const { key } of found) await sends.notSent(send, key);
    return found.map(({ key }) => key);
  }

  it('A3: a click shows that an operator was wrong, and nothing is sent again', async () => {
    const send = await sends.wronglyNotSent([3]);
    expect(await sends.seen(send)).to.deep.equal({ status: 'failed', sentTwice: 0, contacts: { rejected: 3 } });
    await sends.click(send.keys[0] ?? '');
    expect((await sends.seen(send)).status).to.equal('sending');
    await refused(send);
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.equal({ status: 'completed', sentTwice: 0, contacts: { completed: 3 } });
    expect(sends.site.platform.of('A1')).to.have.length(1);
  });

  it('A3: a response that comes late does, too', async () => {
    const send = await sends.site.seedSend({ chunks: [3] });
    const [key = ''] = send.keys;
    await rows(database, `update broadcast_task set status = 'unknown', submitting_by = 'me' where key = :key`, {
      key,
    });
    await sends.notSent(send, key);
    const submission = { tenantId: send.tenantId, campaignId: send.campaignId, key, owner: 'me', now: new Date() };
    const accepted = { taskId: `task-${key}`, estimatedRecipientCount: 3, status: 'sending' as const };
    expect(
      await recordAccepted(database, submission, { ...accepted, nextPollAt: new Date(), pollIntervalMs: 100 }),
    ).to.equal(true);
    expect(await sends.seen(send)).to.deep.equal({ status: 'sending', sentTwice: 0, contacts: { sending: 3 } });
  });

  it('A3: says how many got it twice if a retry had sent to them, once', async () => {
    const send = await sends.wronglyNotSent([3]);
    await sends.site.submit(await sends.retry(send));
    await sends.pollAll(send);
    expect((await sends.seen(send)).sentTwice).to.equal(0);
    await sends.click(send.keys[0] ?? '');
    await sends.pollAll(send);
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.equal({ status: 'completed', sentTwice: 3, contacts: { completed: 3 } });
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
    const send = await sends.wronglyNotSent([3]);
    const second = await sends.retry(send);
    await sends.click(send.keys[0] ?? '');
    await sends.site.submit(second);
    await sends.pollAll(send);
    expect(sends.site.platform.of('A1')).to.have.length(1);
    expect(await sends.seen(send)).to.deep.equal({ status: 'completed', sentTwice: 0, contacts: { completed: 3 } });
  });

  it('A3: gives the contacts of a retry that was rejected back, and does not retry them again', async () => {
    const send = await sends.wronglyNotSent([3]);
    sends.site.platform.behave(({ route }) =>
      route === 'A1' ? { status: 400, body: { code: 'invalid_request' } } : null,
    );
    await sends.site.submit(await sends.retry(send));
    sends.site.platform.behave(() => null);
    expect((await sends.seen(send)).contacts).to.deep.equal({ rejected: 3 });
    await sends.click(send.keys[0] ?? '');
    await refused(send);
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.equal({ status: 'completed', sentTwice: 0, contacts: { completed: 3 } });
  });

  it('A3: keeps only those from a retry who have got it', async () => {
    const send = await sends.wronglyNotSent([2, 3]);
    const second = await sends.retry(send);
    await sends.click(send.keys[0] ?? '');
    expect((await sends.seen(send)).contacts).to.deep.equal({ sending: 2, pending: 3 });
    await sends.site.submit(second);
    expect(sentTo().at(-1)).to.deep.equal(['c1-1', 'c1-2', 'c1-3']);
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.equal({ status: 'completed', sentTwice: 0, contacts: { completed: 5 } });
  });

  it('A3: counts those whom a split retry was sent to, and never retries the rest', async () => {
    const send = await sends.wronglyNotSent([3]);
    const second = await sends.retry(send);
    sends.site.platform.behave(({ route, earlier, body }) => {
      const { contactIds } = (body['audience'] ?? { contactIds: [] }) as { contactIds: string[] };
      const unknown = route === 'A1' && earlier === 0 && contactIds.includes('c0-1');
      return unknown ? { status: 400, body: { code: 'contact_not_found', contactIds: ['c0-1'] } } : null;
    });
    await sends.site.submit(second);
    await sends.pollAll(send);
    expect((await sends.seen(send)).contacts).to.deep.equal({ rejected: 1, completed: 2 });
    await sends.click(send.keys[0] ?? '');
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.include({ sentTwice: 2 });
    await refused(send);
    expect((await sends.seen(send)).contacts).to.deep.equal({ rejected: 1, completed: 2 });
  });

  it('finding 1: counts a failed task that is sent after a retry', async () => {
    const send = await sends.site.seedSend({ chunks: [3] });
    await sends.site.submit(send);
    const failed = { status: 200, body: { status: 'failed', summary: { sent: 0 } } };
    sends.site.platform.behave(({ route }) => (route === 'A2' ? failed : null));
    await sends.pollAll(send);
    await sends.site.submit(await sends.retry(send));
    sends.site.platform.behave(() => null);
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.equal({ status: 'completed', sentTwice: 3, contacts: { completed: 3 } });
  });

  it('A3: cancels a scheduled task whose contacts a retry has taken over', async () => {
    const at = new Date(Date.now() + 3_600_000);
    const send = await sends.site.seedSend({ chunks: [3], at });
    const [key = ''] = send.keys;
    sends.site.platform.behave(({ route }) => (route === 'A1' ? 'reset' : null));
    await sends.site.submit(send);
    await sends.notSent(send, key);
    sends.site.platform.behave(() => null);
    await sends.site.submit(await sends.retry(send));
    sends.site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'scheduled' } } : null));
    await sends.click(key);
    await sends.pollAll(send);
    await sends.site.poll(send);
    expect(sends.site.platform.of('A3').map(({ path }) => path)).to.deep.equal([
      `/openapi/v1/service-numbers/sn-1/broadcasts/task-${key}:cancel`,
    ]);
    expect(await sends.seen(send)).to.include({ sentTwice: 0 });
  });

  it('A4: takes a status back that was only assumed', async () => {
    const send = await sends.site.seedSend({ chunks: [3] });
    const [key = ''] = send.keys;
    await rows(database, `update broadcast_task set status = 'unknown' where key = :key`, { key });
    await sends.click(key);
    sends.site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'scheduled' } } : null));
    await sends.pollAll(send);
    expect((await sends.seen(send)).contacts).to.deep.equal({ scheduled: 3 });
    sends.site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'sending' } } : null));
    await sends.pollAll(send);
    sends.site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'scheduled' } } : null));
    await sends.pollAll(send);
    expect((await sends.seen(send)).contacts).to.deep.equal({ sending: 3 });
  });

  it('A3: settles clicks and retries that come at once without a deadlock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const send = await sends.wronglyNotSent([3]);
      await sends.inbox.store(sends.clicked(send.keys[0] ?? ''));
      const [retried] = await Promise.all([sends.retry(send).catch(() => null), sends.inbox.handle()]);
      if (retried) await sends.site.submit(retried);
      await sends.pollAll(send);
      const { contacts, sentTwice } = await sends.seen(send);
      expect([contacts, sentTwice]).to.deep.equal([{ completed: 3 }, 0]);
    }
    expect(sentTo()).to.have.length(5);
  });

  it('A3: says so, too, if a retry that was kept from them had been sent after all', async () => {
    const send = await sends.wronglyNotSent([3]);
    const second = await lostAndDenied(send);
    await sends.click(send.keys[0] ?? '');
    expect(await sends.seen(send)).to.deep.equal({ status: 'sending', sentTwice: 0, contacts: { sending: 3 } });
    await sends.click(second[0] ?? '');
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.equal({ status: 'completed', sentTwice: 3, contacts: { completed: 3 } });
  });

  it('A3: says so, too, if those whom a retry was kept from had been a part of it', async () => {
    const send = await sends.wronglyNotSent([2, 3]);
    const second = await lostAndDenied(send);
    expect(second).to.have.length(1);
    await sends.click(send.keys[0] ?? '');
    expect(await sends.seen(send)).to.deep.include({ sentTwice: 0, contacts: { sending: 2, rejected: 3 } });
    await sends.click(second[0] ?? '');
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.equal({ status: 'completed', sentTwice: 2, contacts: { completed: 5 } });
  });
});
