import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { type DoubtfulSends, openDoubtfulSends } from '#test/support/outreach/doubtful-sends.ts';
import type { TestSend } from '#test/support/outreach/rows.ts';

describe('A3: clicks on a sub-task that counts as failed with nothing sent', () => {
  const database = useDatabase('outreach');
  let sends: DoubtfulSends;

  beforeEach(async () => {
    await rows(database, 'delete from event_inbox', {});
    sends = await openDoubtfulSends(database);
  });
  afterEach(() => sends.site.close());

  const reports = (body: object, status = 200) =>
    sends.site.platform.behave(({ route }) => (route === 'A2' ? { status, body } : null));
  const nothing = { status: 'failed', summary: { sent: 0, delivered: 0, failed: 3, read: 0 } };

  async function failedWithNothing(): Promise<TestSend> {
    const send = await sends.site.seedSend({ chunks: [3] });
    await sends.site.submit(send);
    reports(nothing);
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.include({ status: 'failed', contacts: { failed: 3 } });
    return send;
  }
  const retried = (send: TestSend) =>
    sends.retry(send).then(
      () => 'retried',
      (problem: { code?: string }) => problem.code,
    );

  it('keep its contacts from being sent to again, whatever the platform goes on reporting', async () => {
    const send = await failedWithNothing();
    await sends.click(send.keys[0] ?? '');
    expect((await sends.seen(send)).contacts).to.deep.equal({ sending: 3 });
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.deep.equal({ status: 'failed', sentTwice: 0, contacts: { failed: 3 } });
    expect(await retried(send)).to.equal('invalid_state');
    expect(sends.site.platform.of('A1')).to.have.length(1);
  });

  it('make it unknown if the platform does not know the task any more', async () => {
    const send = await failedWithNothing();
    reports({ code: 'task_not_found' }, 404);
    await sends.click(send.keys[0] ?? '');
    await sends.pollAll(send);
    await rows(database, `update broadcast_task set not_found_since = now() - interval '3 minutes'`, {});
    await sends.pollAll(send);
    expect((await sends.seen(send)).contacts).to.deep.equal({ unknown: 3 });
    expect(await retried(send)).to.equal('invalid_state');
  });

  it('say that they got it twice if a retry has reached them', async () => {
    const send = await failedWithNothing();
    expect(await retried(send)).to.equal('retried');
    sends.site.platform.behave(() => null);
    const [second] = await rows<{ dispatchId: string }>(
      database,
      'select dispatch_id from dispatch where campaign_id = :campaignId and number = 2',
      { campaignId: send.campaignId },
    );
    await sends.site.submit({ ...send, dispatchId: second?.dispatchId ?? '' });
    await sends.pollAll(send);
    await sends.click(send.keys[0] ?? '');
    await sends.pollAll(send);
    expect(await sends.seen(send)).to.include({ sentTwice: 3 });
  });

  it('change nothing of one of which something was sent', async () => {
    const send = await sends.site.seedSend({ chunks: [3] });
    await sends.site.submit(send);
    reports({ status: 'failed', summary: { sent: 1 } });
    await sends.pollAll(send);
    await sends.click(send.keys[0] ?? '');
    expect((await sends.seen(send)).contacts).to.deep.equal({ failed: 3 });
  });
});
