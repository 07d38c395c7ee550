import { expect } from 'chai';
import { rows } from '../../../db/database.ts';
import { useDatabase } from '../../../test/support/fixtures/database.ts';
import { readTasks } from '../../../test/support/outreach/rows.ts';
import { testDeps } from '../../../test/support/services/outreach-flows.ts';
import { openSendingSite, type SendingSite } from '../../../test/support/services/sending-site.ts';

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
});
