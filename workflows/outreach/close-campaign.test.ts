import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { findCampaignNames } from '#db/outreach/campaigns/names.ts';
import { storeSource } from '#commands/outreach/campaigns/store-source.ts';
import { wantSourceUpdate } from '#db/outreach/campaigns/entry-sources.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { readCampaign, seedSend, seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { currentDetails } from '#test/support/services/outreach-worker.ts';
import { closeWorkflowId } from '../contracts/close-campaign.ts';
import { updateSourcesWorkflowId } from '../contracts/update-entry-sources.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { useOutreachWorker, usePlatform } from '#test/support/fixtures/outreach.ts';

describe('closeCampaign and updateEntrySources', () => {
  const database = useDatabase('outreach');
  const platform = usePlatform();
  const worker = useOutreachWorker(database, { platform });
  let tenant: TestTenant;

  before(async () => {
    tenant = await seedTenant(database, testEncryption);
  });

  const linked = async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: [2], status: 'completed' });
    const sent = { name: 'Spring', endsAt: null };
    await storeSource(database, { ...send, sourceId: `source-${send.campaignId}`, sent });
    return send;
  };
  const calls = (campaignId: string) => platform.of('other').filter(({ path }) => path.includes(campaignId));

  it('have ids that staff can guess', () => {
    expect([closeWorkflowId('c-1'), updateSourcesWorkflowId('c-1')]).to.deep.equal(['close:c-1', 'entry-sources:c-1']);
  });

  it('close at endsAt, retry F3 until its outcome is known, and show it to staff', async () => {
    const send = await linked();
    await rows(database, 'update campaign set ends_at = now() where campaign_id = :campaignId', { ...send });
    platform.behave(({ earlier }) => (earlier === 0 ? 'reset' : earlier === 1 ? { status: 500 } : null));
    await Promise.all([1, 2, 3].map(() => worker.launcher.closing(send, { wake: false })));
    const handle = worker.client.workflow.getHandle(closeWorkflowId(send.campaignId));
    expect(await handle.result()).to.deep.equal({ closed: true, sources: 1 });
    expect(calls(send.campaignId).map(({ body }) => body)).to.deep.equal(
      Array.from({ length: 3 }, () => ({ status: 'inactive' })),
    );
    expect((await readCampaign(database, send)).status).to.equal('closed');
    const described = await handle.describe();
    expect(described.searchAttributes).to.deep.include({
      TenantId: [send.tenantId],
      CampaignId: [send.campaignId],
      BizStatus: ['closed'],
    });
    const names = await findCampaignNames(database, send);
    expect(await described.staticSummary()).to.equal(
      `Closes campaign “${names?.campaign}” (${send.campaignId}) of ${names?.tenant} and ends its entry sources`,
    );
    platform.behave(() => null);
  });

  it('show in their details what the platform rejected', async () => {
    const [closed, renamed] = [await linked(), await linked()];
    platform.behave(() => ({ status: 410, body: { code: 'gone', message: 'no more' } }));
    await rows(database, 'update campaign set ends_at = now() where campaign_id = :campaignId', { ...closed });
    await worker.launcher.closing(closed, { wake: false });
    await database.transaction((transaction) => wantSourceUpdate(transaction, renamed));
    await worker.launcher.sourceUpdates(renamed, { wake: false });
    for (const id of [closeWorkflowId(closed.campaignId), updateSourcesWorkflowId(renamed.campaignId)]) {
      await worker.client.workflow.getHandle(id).result();
      expect(await currentDetails(worker.client, id)).to.match(/the platform rejected .*gone: no more$/i);
    }
    platform.behave(() => null);
  });

  it('A5: end the entry sources of a cancelled campaign without closing it', async () => {
    const send = await linked();
    await rows(database, `update campaign set status = 'cancelled' where campaign_id = :campaignId`, { ...send });
    await worker.launcher.closing({ ...send, status: 'cancelled' }, { wake: false });
    const handle = worker.client.workflow.getHandle(closeWorkflowId(send.campaignId));
    expect(await handle.result()).to.deep.equal({ closed: false, sources: 1 });
    expect(calls(send.campaignId)).to.have.length(1);
    expect((await readCampaign(database, send)).status).to.equal('cancelled');
    expect((await handle.describe()).searchAttributes).to.deep.include({ BizStatus: ['cancelled'] });
  });

  it('close nothing if the end was moved', async () => {
    const send = await linked();
    await worker.launcher.closing(send, { wake: false });
    const handle = worker.client.workflow.getHandle(closeWorkflowId(send.campaignId));
    expect(await handle.result()).to.deep.equal({ closed: false, sources: 0 });
    expect((await readCampaign(database, send)).status).to.equal('completed');
    expect(calls(send.campaignId)).to.have.length(0);
  });

  it('send the newest name, even if it changes again in the meantime', async () => {
    const send = await linked();
    const rename = (name: string) =>
      database.transaction(async (transaction) => {
        await rows(transaction, 'update campaign set name = :name where campaign_id = :campaignId', { ...send, name });
        await wantSourceUpdate(transaction, send);
      });
    await rename('Second');
    platform.behave(async ({ earlier, path }) => {
      if (earlier > 0 || !path.includes(send.campaignId)) return null;
      await rename('Third');
      await worker.launcher.sourceUpdates(send, { wake: true });
      return null;
    });
    await worker.launcher.sourceUpdates(send, { wake: true });
    await worker.client.workflow.getHandle(updateSourcesWorkflowId(send.campaignId)).result();
    await eventually('the last name is sent', async () => calls(send.campaignId).at(-1)?.body['name'] === 'Third');
    expect(calls(send.campaignId).map(({ body }) => body['name'])).to.deep.equal(['Second', 'Third']);
  });
});
