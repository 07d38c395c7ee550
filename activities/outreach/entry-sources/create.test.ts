import { expect } from 'chai';
import { readCampaign, readTasks } from '#test/support/outreach/rows.ts';
import { firstPostback } from '#test/support/doubles/recording-platform.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

describe('the entry source of a campaign with a button that opens a conversation', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;

  beforeEach(async () => {
    site = await openSendingSite(database);
  });
  afterEach(() => site.close());

  const messages = [
    {
      type: 'buttons' as const,
      title: 't',
      text: 'x',
      actions: [{ type: 'Postback' as const, label: 'Ask', data: { event: 'InboundReason' } }],
    },
  ];

  it('creates the entry source before anything is sent, retrying uncertain outcomes', async () => {
    site.platform.behave(({ route, earlier }) => (route === 'F1' && earlier === 0 ? 'reset' : null));
    const send = await site.seedSend({ chunks: [1], messages });
    expect((await site.run(() => site.activities.planDispatch(send))).needsSource).to.equal(true);
    const failed = await site.run(() => site.activities.prepareEntrySource(send)).catch((error: unknown) => error);
    expect(failed).to.have.property('type', 'PlatformUnavailable');
    await site.run(() => site.activities.prepareEntrySource(send));
    await site.run(() => site.activities.prepareEntrySource(send));
    expect(site.platform.of('F1')).to.have.length(2);
    expect(site.platform.of('F1')[0]?.body).to.deep.equal({
      name: 'Spring',
      reason: { type: 'activity', id: send.campaignId, data: { appId: 'outreach', campaignId: send.campaignId } },
      channels: [{ channel: 'default', serviceNumberId: 'sn-1' }],
      webhook: { url: 'http://bff.example/webhook', events: ['session.created', 'session.closed'] },
    });
    expect((await site.run(() => site.activities.planDispatch(send))).needsSource).to.equal(false);
    await site.submit(send);
    expect(firstPostback(site.platform.of('A1')[0])).to.include({ event: 'InboundReason', sourceId: 'source-1' });
  });

  it('rejects the send if the platform rejects the source', async () => {
    site.platform.behave(({ route }) => (route === 'F1' ? { status: 400, body: { code: 'invalid_request' } } : null));
    const send = await site.seedSend({ chunks: [1], messages });
    await site.run(() => site.activities.prepareEntrySource(send));
    expect((await readTasks(database, send))[0]).to.include({ status: 'rejected', errorCode: 'invalid_request' });
    expect((await readCampaign(database, send)).status).to.equal('failed');
  });
});
