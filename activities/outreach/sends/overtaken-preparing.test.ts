import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';
import { cancelCampaign } from '#commands/outreach/sends/cancel-campaign.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { type DoubtfulSends, openDoubtfulSends } from '#test/support/outreach/doubtful-sends.ts';
import type { TestSend } from '#test/support/outreach/rows.ts';

/** So many that the workflow of a retry takes them over, in two pages. */
const MANY = 25;

describe('sub-tasks that turn out to have been sent while their retry is being prepared', () => {
  const database = useDatabase('outreach');
  let sends: DoubtfulSends;

  beforeEach(async () => {
    await rows(database, 'delete from event_inbox', {});
    sends = await openDoubtfulSends(database);
  });
  afterEach(() => sends.site.close());

  const wronglyNotSent = () => sends.wronglyNotSent(Array.from({ length: MANY }, () => 2));
  const nextPage = (send: TestSend) => freezeNextPage(database, send, new Date());
  const click = (send: TestSend, index: number) => sends.click(send.keys[index] ?? '');

  async function prepare(send: TestSend): Promise<void> {
    for (let complete = false; !complete; await sends.seen(send)) complete = await nextPage(send);
  }

  /** The contacts of a send's submissions, without those of the sends before it. */
  async function submit(send: TestSend): Promise<string[]> {
    const earlier = sends.site.platform.of('A1').length;
    await sends.site.submit(send);
    const calls = sends.site.platform.of('A1').slice(earlier);
    return calls.flatMap(({ body }) => (body['audience'] as { contactIds: string[] }).contactIds);
  }

  const contactsOf = (index: number) => [`c${index}-1`, `c${index}-2`];
  const completed = { status: 'completed', sentTwice: 0, contacts: { completed: 2 * MANY } };

  /** The rest of a campaign, of whose first send these sub-tasks turned out to have been sent. */
  async function endsWithout(send: TestSend, second: TestSend, indices: number[]): Promise<void> {
    await prepare(second);
    const reached = await submit(second);
    expect(reached).to.have.length(2 * (MANY - indices.length));
    expect(reached).not.to.include.members(indices.flatMap(contactsOf));
    expect(new Set(reached).size).to.equal(reached.length);
    await sends.pollAll(send);
  }

  it('A3: gives back what the retry has not taken over yet, and counts it once at every moment', async () => {
    const send = await wronglyNotSent();
    const second = await sends.retry(send);
    expect((await sends.seen(send)).contacts).to.deep.equal({ preparing: 2 * MANY });
    await click(send, 0);
    await click(send, MANY - 1);
    expect((await sends.seen(send)).contacts).to.deep.equal({ sending: 4, preparing: 2 * MANY - 4 });
    await endsWithout(send, second, [0, MANY - 1]);
    expect(await sends.seen(send)).to.deep.equal(completed);
  });

  it('A3: keeps those from the retry whom it has taken over', async () => {
    const send = await wronglyNotSent();
    const second = await sends.retry(send);
    await nextPage(second);
    await click(send, 0);
    await click(send, MANY - 1);
    await endsWithout(send, second, [0, MANY - 1]);
    expect(await sends.seen(send)).to.deep.equal(completed);
  });

  it('A3: does not take over what the platform has reported in the meantime', async () => {
    const send = await sends.site.seedSend({ chunks: Array.from({ length: MANY }, () => 2) });
    await sends.site.submit(send);
    const failed = { status: 200, body: { status: 'failed', summary: { sent: 0 } } };
    sends.site.platform.behave(({ route }) => (route === 'A2' ? failed : null));
    await sends.pollAll(send);
    const second = await sends.retry(send);
    // Reported, and not settled yet: polling settles at the end of its round.
    const reported = [send.keys[1], send.keys[MANY - 2]];
    await rows(database, `update broadcast_task set status = 'completed', sent = 2 where key = any(:reported)`, {
      reported,
    });
    sends.site.platform.behave(() => null);
    await endsWithout(send, second, [1, MANY - 2]);
    expect((await sends.seen(send)).contacts).to.deep.equal({ completed: 2 * MANY });
  });

  it('A3: counts each contact once if the retry is cancelled before it has taken all over', async () => {
    const send = await wronglyNotSent();
    const second = await sends.retry(send);
    await nextPage(second);
    await cancelCampaign(database, sends.author(), send.campaignId, new Date());
    expect((await sends.seen(send)).contacts).to.deep.equal({ cancelled: 2 * MANY });
    await click(send, 0);
    await click(send, MANY - 1);
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.equal({
      status: 'cancelled',
      sentTwice: 0,
      contacts: { completed: 4, cancelled: 2 * MANY - 4 },
    });
    const campaign = await findCampaign(database, send.tenantId, send.campaignId);
    expect(campaign?.cancelOutcome).to.equal('partly');
  });

  /** A campaign whose first retry was denied as its first send was; the second is yet to take that over. */
  async function deniedTwice(): Promise<{ send: TestSend; third: TestSend }> {
    const contacts = 20 * MANY;
    const send = await sends.site.seedSend({ chunks: Array.from({ length: contacts }, () => 1) });
    const deny = () =>
      rows(
        database,
        `update broadcast_task set status = 'rejected', error_code = 'not_sent', attempts = 1
         where campaign_id = :campaignId and status = 'pending'`,
        { campaignId: send.campaignId },
      );
    await deny();
    const second = await sends.retry(send);
    await prepare(second);
    await deny();
    const third = await sends.retry(send);
    expect((await sends.seen(send)).contacts).to.deep.equal({ preparing: contacts });
    return { send, third };
  }

  it('A3: keeps from a second retry whom the first send reached, a part of what it is to take over', async () => {
    const { send, third } = await deniedTwice();
    await click(send, 0);
    expect((await sends.seen(send)).contacts).to.deep.equal({ sending: 1, preparing: 20 * MANY - 1 });
    await prepare(third);
    expect(await submit(third))
      .to.have.length(20 * MANY - 1)
      .and.not.include('c0-1');
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.include({
      sentTwice: 0,
      contacts: { sending: 1, completed: 20 * MANY - 1 },
    });
  });

  it('A3: counts them once if that second retry is cancelled first', async () => {
    const { send } = await deniedTwice();
    await cancelCampaign(database, sends.author(), send.campaignId, new Date());
    await click(send, 0);
    await click(send, 1);
    expect((await sends.seen(send)).contacts).to.deep.equal({ sending: 2, cancelled: 20 * MANY - 2 });
  });
});
