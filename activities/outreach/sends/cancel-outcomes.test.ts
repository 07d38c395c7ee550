import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { storeSource } from '#commands/outreach/campaigns/store-source.ts';
import { recordPostponed } from '#commands/outreach/sends/ledger/outcomes.ts';
import { refreshCampaignNow } from '#commands/outreach/sends/ledger/refresh-campaign.ts';
import { tasksToCancel } from '#db/outreach/sends/polling.ts';
import { cancelCampaign } from '#commands/outreach/sends/cancel-campaign.ts';
import { uninstallIntegration } from '#commands/outreach/tenants/uninstall-integration.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { readTasks, type TestSend } from '#test/support/outreach/rows.ts';
import { recordingLauncher } from '#test/support/services/outreach-flows.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';

describe('how cancelling ends', () => {
  const database = useDatabase('outreach');
  let launcher: ReturnType<typeof recordingLauncher>;
  let site: SendingSite;

  beforeEach(async () => {
    launcher = recordingLauncher();
    site = await openSendingSite(database, { launcher });
  });
  afterEach(() => site.close());

  const cancel = (send: TestSend) =>
    cancelCampaign(database, { tenantId: send.tenantId, userId: 'u1', requestId: null }, send.campaignId, new Date());

  /** A campaign with an entry source whose sub-tasks the platform has scheduled. */
  async function scheduled(chunks: number[]): Promise<TestSend> {
    const send = await site.seedSend({ chunks, at: new Date(Date.now() + 3_600_000) });
    await storeSource(database, { ...send, sourceId: `s-${send.campaignId}`, sent: { name: 'Spring', endsAt: null } });
    await site.submit(send);
    return send;
  }

  /** The platform has begun these sub-tasks when A3 comes. */
  function begun(keys: string[], end = 'completed'): void {
    const isBegun = (path: string) => keys.some((key) => path.includes(key));
    const reported = (status: string) => ({ status: 200, body: { status, summary: { sent: 2 } } });
    site.platform.behave(({ route, path }) => {
      if (route === 'A2') return isBegun(path) ? reported(end) : reported('cancelled');
      if (route === 'A3' && isBegun(path)) return { status: 409, body: { code: 'not_scheduled', status: 'sending' } };
      return null;
    });
  }

  const outcomeOf = async (send: TestSend) => {
    const campaign = await findCampaign(database, send.tenantId, send.campaignId);
    return [campaign?.status, campaign?.cancelOutcome];
  };

  async function cancelled(send: TestSend): Promise<unknown> {
    await cancel(send);
    await site.poll(send, 'scheduled');
    return await outcomeOf(send);
  }

  it('A5: ends as its sub-tasks did if every A3 came too late', async () => {
    const send = await scheduled([2, 2]);
    begun(send.keys);
    expect(await cancelled(send)).to.deep.equal(['completed', 'too_late']);
    expect(launcher.asked).not.to.include(`close:${send.campaignId}`);
    const failed = await scheduled([2]);
    begun(failed.keys, 'failed');
    expect(await cancelled(failed)).to.deep.equal(['failed', 'too_late']);
  });

  it('A5: is cancelled in part if some had begun, and says nothing before that is known', async () => {
    const send = await scheduled([2, 2]);
    begun(send.keys.slice(0, 1));
    await cancel(send);
    expect(await outcomeOf(send)).to.deep.equal(['scheduled', null]);
    await site.poll(send, 'scheduled');
    expect(await outcomeOf(send)).to.deep.equal(['cancelled', 'partly']);
  });

  it('A5: is cancelled if nothing had begun, and ends its entry sources as a closed campaign does', async () => {
    const send = await scheduled([2, 2]);
    begun([]);
    expect(await cancelled(send)).to.deep.equal(['cancelled', 'cancelled']);
    expect(launcher.asked).to.include(`close:${send.campaignId}`);
    launcher.asked.length = 0;
    await site.run(site.activities.sweepOutreachRows);
    expect(launcher.asked).to.include(`close:${send.campaignId}`);
    expect(await site.run(() => site.activities.closeWhenEnded(send))).to.equal(false);
    expect(await site.run(() => site.activities.endEntrySources(send))).to.deep.equal({ ended: 1 });
    expect(site.platform.of('other').map(({ path, body }) => [path, body])).to.deep.equal([
      [`/openapi/v1/entry-sources/s-${send.campaignId}/status`, { status: 'inactive' }],
    ]);
    expect(await outcomeOf(send)).to.deep.equal(['cancelled', 'cancelled']);
  });

  it('A5: may be cancelled while a sub-task is unknown, which may be scheduled at the platform', async () => {
    const send = await site.seedSend({ chunks: [2] });
    await rows(database, `update broadcast_task set status = 'unknown' where campaign_id = :campaignId`, {
      campaignId: send.campaignId,
    });
    await cancel(send);
    expect(await outcomeOf(send)).to.deep.equal(['sending', null]);
  });

  /** The first sub-task is scheduled at the platform, the second in a call, when an operator cancels the campaign. */
  async function cancelledInMidCall(): Promise<TestSend> {
    const send = await scheduled([2]);
    await rows(
      database,
      `insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count, submitting_by)
       select 'second-' || key, tenant_id, campaign_id, dispatch_id, 1, 'submitting', 2, 'me'
       from broadcast_task where campaign_id = :campaignId`,
      { campaignId: send.campaignId },
    );
    await cancel(send);
    const { tenantIntegrationId } = site.tenant;
    await uninstallIntegration(database, tenantIntegrationId, { reason: undefined, now: new Date(), requestId: null });
    return send;
  }

  it('A5: says how cancelling ended although the tenant was uninstalled in the meantime', async () => {
    const send = await cancelledInMidCall();
    expect(await outcomeOf(send)).to.deep.equal(['cancelled', null]);
    const now = new Date();
    const submission = { ...send, key: `second-${send.keys[0]}`, owner: 'me', now };
    await recordPostponed(database, submission, {
      nextAttemptAt: now,
      failure: null,
      code: 'not_reached',
      message: 'refused',
    });
    expect((await readTasks(database, send)).map(({ status }) => status)).to.deep.equal(['scheduled', 'cancelled']);
    await rows(database, `update broadcast_task set status = 'sending' where key = :key`, { key: send.keys[0] });
    await refreshCampaignNow(database, send, now);
    expect(await outcomeOf(send)).to.deep.equal(['cancelled', 'partly']);
  });

  it('A5: cancels scheduled tasks of a cancelled campaign once the tenant is installed again', async () => {
    const send = await cancelledInMidCall();
    // The uninstall has deleted its secret.
    await rows(
      database,
      `update tenant_integration set status = 'ACTIVE', secret_encrypted = 'another' where tenant_id = :tenantId`,
      { tenantId: send.tenantId },
    );
    const due = await tasksToCancel(database, { ...send, now: new Date() });
    expect(due.map(({ key }) => key)).to.deep.equal(send.keys);
  });
});
