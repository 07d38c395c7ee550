import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { readAttention } from '#db/outreach/overview/attention.ts';
import { storeSource } from '#commands/outreach/campaigns/store-source.ts';
import { wantSourceUpdate } from '#db/outreach/campaigns/entry-sources.ts';
import { recordingLauncher } from '#test/support/services/outreach-flows.ts';
import { readCampaign, readTasks } from '#test/support/outreach/rows.ts';
import type { PlatformReply } from '#test/support/doubles/recording-platform.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';
import { openConversations } from '../inbox/handlers/sessions.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

describe('entry sources of campaigns that change or end', () => {
  const database = useDatabase('outreach');
  let launcher: ReturnType<typeof recordingLauncher>;
  let site: SendingSite;
  let now: Date;

  beforeEach(async () => {
    now = new Date();
    launcher = recordingLauncher();
    site = await openSendingSite(database, { launcher, now: () => now });
  });
  afterEach(() => site.close());

  const sent = { name: 'Spring', endsAt: null };
  const set = (campaignId: string, assignment: string, more: Record<string, unknown> = {}) =>
    rows(database, `update campaign set ${assignment} where campaign_id = :campaignId`, { campaignId, ...more });
  const sources = (campaignId: string) =>
    rows<{ source: string; ended: boolean; code: string | null }>(
      database,
      `select source_id as source, ended_at is not null as ended, error_code as code from entry_source
       where campaign_id = :campaignId order by source_id`,
      { campaignId },
    );
  /** Sessions of a campaign, each by a source. */
  const report = (
    ...sessions: [send: { tenantId: string; campaignId: string }, sessionId: string, sourceId: string][]
  ) =>
    database.transaction((transaction) =>
      openConversations(
        transaction,
        sessions.map(([{ tenantId, campaignId: id }, sessionId, sourceId]) => ({
          tenantId,
          eventId: sessionId,
          eventType: 'session.created' as const,
          tenantIntegrationId: site.tenant.tenantIntegrationId,
          serviceNumberId: 'sn-1',
          receivedAt: now,
          occurredAt: now,
          microseconds: 0,
          traceParent: null,
          payload: JSON.stringify({
            sessionId,
            sourceId,
            contactId: 'c',
            serviceNumberId: 'sn-1',
            entryReason: { id },
          }),
        })),
        { now, clicksKeptSince: new Date(0), polls: new Map(), given: [] },
      ),
    );
  const calls = () =>
    site.platform.of('other').map(({ path, body }) => [path.replace('/openapi/v1/entry-sources/', ''), body]);

  it('closes automatically at endsAt, by the service’s clock, and ends every source it knows', async () => {
    const send = await site.seedSend({ chunks: [2], status: 'completed' });
    const endsAt = new Date(now.getTime() + 86_400_000);
    await set(send.campaignId, 'ends_at = :endsAt', { endsAt });
    await storeSource(database, { ...send, sourceId: `one-${send.campaignId}`, sent: { ...sent, endsAt } });
    await storeSource(database, { ...send, sourceId: `two-${send.campaignId}`, sent: { ...sent, endsAt } });
    await site.run(site.activities.sweepOutreachRows);
    expect(launcher.asked).not.to.include(`close:${send.campaignId}`);
    expect(await site.run(() => site.activities.closeWhenEnded(send))).to.equal(false);

    now = endsAt;
    expect((await site.run(site.activities.sweepOutreachRows)).closings).to.be.greaterThan(0);
    expect(launcher.asked).to.include(`close:${send.campaignId}`);
    expect(await site.run(() => site.activities.closeWhenEnded(send))).to.equal(true);
    expect((await readCampaign(database, send)).status).to.equal('closed');
    expect((await readTasks(database, send)).map(({ status }) => status)).to.deep.equal(['cancelled']);
    expect(await site.run(() => site.activities.endEntrySources(send))).to.deep.equal({ ended: 2 });
    expect(calls()).to.deep.equal([
      [`one-${send.campaignId}/status`, { status: 'inactive' }],
      [`two-${send.campaignId}/status`, { status: 'inactive' }],
    ]);
    expect(await site.run(() => site.activities.endEntrySources(send))).to.deep.equal({ ended: 0 });
    launcher.asked.length = 0;
    await site.run(site.activities.sweepOutreachRows);
    expect(launcher.asked).not.to.include(`close:${send.campaignId}`);
  });

  it('ignores a campaign that a restore has lost', async () => {
    const { tenantId } = await site.seedSend({ chunks: [1], status: 'completed' });
    const lost = { tenantId, campaignId: 'lost' };
    expect(await site.run(() => site.activities.closeWhenEnded(lost))).to.equal(false);
    expect(await site.run(() => site.activities.endEntrySources(lost))).to.deep.equal({ ended: 0 });
    expect(await site.run(() => site.activities.tellEntrySources(lost))).to.deep.equal({ updated: 0 });
  });

  it('repeats F3 after an ambiguous outcome, and accepts a rejection', async () => {
    const send = await site.seedSend({ chunks: [2], status: 'closed' });
    await storeSource(database, { ...send, sourceId: `s-${send.campaignId}`, sent });
    for (const reply of ['reset', { status: 500 }, { status: 503, body: { code: 'busy' } }, { status: 401 }] as const) {
      site.platform.behave(() => reply);
      const failure = await site.run(() => site.activities.endEntrySources(send)).catch((error: unknown) => error);
      expect(failure).to.include({ type: 'PlatformUnavailable' });
      expect((await sources(send.campaignId)).map(({ ended }) => ended)).to.deep.equal([false]);
    }
    await site.run(site.activities.sweepOutreachRows);
    expect(launcher.asked).to.include(`close:${send.campaignId}`);
    site.platform.behave(() => ({ status: 404, body: { code: 'not_found', message: 'no such source' } }));
    await site.run(() => site.activities.endEntrySources(send));
    expect(await sources(send.campaignId)).to.deep.equal([
      { source: `s-${send.campaignId}`, ended: true, code: 'not_found' },
    ]);
  });

  it('keeps the last rejection, including one that is retried, until the platform accepts', async () => {
    const send = await site.seedSend({ chunks: [2] });
    const sourceId = `r-${send.campaignId}`;
    await storeSource(database, { ...send, sourceId, sent: { ...sent, name: 'Old' } });
    const kept = () =>
      database('entry_source')
        .where({ source_id: sourceId })
        .first('error_call', 'error_code', 'error_message', 'error_at');
    const none = { errorCall: null, errorCode: null, errorMessage: null, errorAt: null };
    const replies: PlatformReply[] = ['reset', { status: 401, body: { message: 'who?' } }];
    for (const reply of replies) {
      site.platform.behave(() => reply);
      await site.run(() => site.activities.tellEntrySources(send)).catch(() => undefined);
      const unauthorized = { errorCall: 'update', errorCode: 'unauthorized', errorMessage: 'who?', errorAt: now };
      expect(await kept()).to.deep.equal(reply === 'reset' ? none : unauthorized);
    }
    const responses: PlatformReply[] = [
      'reset',
      { status: 422, body: { code: 'invalid_request', message: 'too late' } },
    ];
    site.platform.behave(() => responses.shift() ?? null);
    await site.run(() => site.activities.tellEntrySources(send)).catch(() => undefined);
    expect(await site.run(() => site.activities.tellEntrySources(send))).to.deep.equal({
      updated: 1,
      refusal: 'invalid_request: too late',
    });
    expect(await kept()).to.include({ errorCall: 'update', errorCode: 'invalid_request' });
    const { refusedSources } = await database.transaction((transaction) =>
      readAttention(transaction, { tenantId: send.tenantId }, now),
    );
    expect(refusedSources).to.deep.equal({
      count: 1,
      items: [
        {
          campaignId: send.campaignId,
          name: 'Spring',
          serviceNumberId: 'sn-1',
          sourceId,
          call: 'update',
          code: 'invalid_request',
          message: 'too late',
          since: now.toISOString(),
        },
      ],
    });
    site.platform.behave(() => null);
    await database.transaction((transaction) => wantSourceUpdate(transaction, send));
    expect(await site.run(() => site.activities.tellEntrySources(send))).to.deep.equal({ updated: 1 });
    expect(await kept()).to.deep.equal(none);
  });

  it('tells the platform what it has not heard of a source that only a session reported', async () => {
    const send = await site.seedSend({ chunks: [1] });
    const lost = `lost-${send.campaignId}`;
    const endsAt = new Date(now.getTime() + 86_400_000);
    await set(send.campaignId, 'ends_at = :endsAt', { endsAt });
    await report([send, 's0', lost]);
    expect(await site.run(() => site.activities.tellEntrySources(send))).to.deep.equal({ updated: 1 });
    expect(calls()).to.deep.equal([
      [
        lost,
        {
          name: 'Spring',
          reason: { data: { appId: 'outreach', campaignId: send.campaignId } },
          expiresAt: endsAt.toISOString(),
        },
      ],
    ]);
  });

  it('ends a source that only a session reported, even after closing', async () => {
    const send = await site.seedSend({ chunks: [2], status: 'closed' });
    const lost = `lost-${send.campaignId}`;
    await report([send, 's1', lost], [send, 's2', lost], [{ ...send, campaignId: 'no-campaign' }, 's3', 'other']);
    await site.run(site.activities.sweepOutreachRows);
    expect(launcher.asked).to.include(`close:${send.campaignId}`);
    await site.run(() => site.activities.endEntrySources(send));
    expect(calls()).to.deep.equal([[`${lost}/status`, { status: 'inactive' }]]);
    expect(await rows(database, `select 1 from entry_source where source_id = 'other'`, {})).to.have.length(0);
  });

  it('reports name, extension data and end by F2 until the platform knows them, including changes made during F1', async () => {
    const send = await site.seedSend({ chunks: [2] });
    await set(send.campaignId, `name = 'Renamed during F1'`);
    const sourceId = `u-${send.campaignId}`;
    await storeSource(database, { ...send, sourceId, sent });
    site.platform.behave(() => 'reset');
    const failure = await site.run(() => site.activities.tellEntrySources(send)).catch((error: unknown) => error);
    expect(failure).to.include({ type: 'PlatformUnavailable' });
    await site.run(site.activities.sweepOutreachRows);
    expect(launcher.asked).to.include(`entry-sources:${send.campaignId}`);
    site.platform.behave(() => null);
    site.platform.calls.length = 0;
    expect(await site.run(() => site.activities.tellEntrySources(send))).to.deep.equal({ updated: 1 });
    const data = { appId: 'outreach', campaignId: send.campaignId };
    expect(calls()).to.deep.equal([[sourceId, { name: 'Renamed during F1', reason: { data }, expiresAt: null }]]);
    expect(await site.run(() => site.activities.tellEntrySources(send))).to.deep.equal({ updated: 0 });
  });

  it('calls nothing for an uninstalled tenant', async () => {
    const send = await site.seedSend({ chunks: [2], status: 'closed' });
    await storeSource(database, { ...send, sourceId: `gone-${send.campaignId}`, sent });
    await rows(database, `update tenant_integration set status = 'UNINSTALLED' where tenant_id = :tenantId`, {
      ...send,
    });
    expect(await site.run(() => site.activities.endEntrySources(send))).to.deep.equal({ ended: 0 });
    await site.run(site.activities.sweepOutreachRows);
    expect(launcher.asked).not.to.include(`close:${send.campaignId}`);
  });
});
