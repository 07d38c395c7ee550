import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { cancelCampaign } from '#commands/outreach/sends/cancel-campaign.ts';
import type { PlatformReply } from '#test/support/doubles/recording-platform.ts';
import { readCampaign, readTasks } from '#test/support/outreach/rows.ts';
import { testDeps } from '#test/support/services/outreach-flows.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';

describe('submitting sub-tasks to a platform that honours their keys', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;

  beforeEach(async () => {
    const { settings, close } = testDeps(database, 'http://127.0.0.1:1');
    await close();
    site = await openSendingSite(database, { settings: { ...settings, PLATFORM_A1_IDEMPOTENT: true } });
  });
  afterEach(() => site.close());

  const keysSent = () => site.platform.of('A1').map(({ headers }) => headers['idempotency-key']);

  it('retries an ambiguous call', async () => {
    site.platform.behave(({ earlier }) => (earlier === 0 ? 'reset' : null));
    const send = await site.seedSend({ chunks: [1] });
    await site.submit(send);
    expect((await readTasks(database, send))[0]).to.include({ status: 'sending', attempts: 2 });
    expect(keysSent()).to.deep.equal([send.keys[0], send.keys[0]]);
  });

  it('submits what a dead process left behind again', async () => {
    const send = await site.seedSend({ chunks: [1] });
    await rows(
      database,
      `update broadcast_task set status = 'submitting', submitting_by = 'dead', attempts = 1,
         submitting_since = now() - interval '21 seconds' where campaign_id = :campaignId`,
      { campaignId: send.campaignId },
    );
    await site.submit(send);
    expect((await readTasks(database, send))[0]).to.include({ status: 'sending', attempts: 2, errorCode: null });
    expect(keysSent()).to.deep.equal(send.keys);
  });

  it('does not take for cancelled what may have been submitted: the campaign is cancelled during the call, or after it', async () => {
    const during = await site.seedSend({ chunks: [1] });
    const author = { tenantId: during.tenantId, userId: 'u1', requestId: null };
    site.platform.behave(async () => {
      await cancelCampaign(database, author, during.campaignId, new Date());
      return 'reset' as const;
    });
    await site.submit(during);
    expect((await readTasks(database, during))[0]).to.include({ status: 'unknown', errorCode: 'ambiguous' });
    expect((await readCampaign(database, during)).status).to.equal('sending');

    const after = await site.seedSend({ chunks: [1] });
    const [key = ''] = after.keys;
    const submitOnce = async (reply: PlatformReply) => {
      site.platform.behave(() => reply);
      await rows(database, 'update broadcast_task set attempts = 20, next_attempt_at = null where key = :key', { key });
      await site.submit(after);
    };
    await submitOnce('reset');
    await submitOnce({ status: 503, body: { code: 'busy', message: 'later' }, headers: { 'Retry-After': '60' } });
    expect((await readTasks(database, after))[0]).to.include({ status: 'pending', errorCode: 'ambiguous' });
    await cancelCampaign(database, author, after.campaignId, new Date());
    expect((await readTasks(database, after))[0]?.status).to.equal('unknown');
  });
});
