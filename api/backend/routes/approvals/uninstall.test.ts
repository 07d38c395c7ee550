import { expect } from 'chai';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { contactId } from '#test/support/services/backend.ts';

const people = [1, 2, 3, 4, 5].map(contactId);
/** Less than tokens live. */
const SOON_MS = 120_000;

describe('a request for approval that is open when the tenant uninstalls', () => {
  const backend = useTwoTenants({ contacts: 30 });
  const at = new Date(Date.now() + SOON_MS);
  let olga = '';
  before(async () => {
    olga = await backend.token('a', 'marketing_operator', 'olga');
    const token = await backend.token('a', 'tenant_admin', 'ada');
    await backend.call('PATCH', '/tenant-settings', { token, body: { sendsNeedApproval: 4 } });
  });

  async function waitingDraft(): Promise<string> {
    const id = await backend.draft({ audience: { type: 'contacts', contactIds: people } });
    expect((await backend.act(id, 'send')).body.approval).to.include({ outcome: null });
    return id;
  }

  async function pausedAtStart(): Promise<string> {
    const tag = { name: 'Growing', serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = (await backend.call('POST', '/tags', { body: tag })).body;
    const assign = (contactIds: string[]) =>
      backend.call('POST', `/tags/${tagId}/assignments`, { body: { contactIds } });
    await assign(people.slice(0, 1));
    const id = await backend.draft({
      audience: { type: 'app_tags', appTagIds: [tagId], tagOperator: 'OR' },
      schedule: { type: 'scheduled', at: at.toISOString(), audience: 'at_start' },
    });
    await backend.act(id, 'send');
    await assign(people);
    const { dispatchId } = await backend.db('dispatch').where({ campaign_id: id }).first();
    backend.setNow(at);
    await freezeNextPage(backend.db, { tenantId: 'a', dispatchId }, at);
    backend.setNow(null);
    return id;
  }

  it('is withdrawn by the platform, cancels what was paused, and is not approved afterwards, not even once it is back', async () => {
    const [draft, paused] = [await waitingDraft(), await pausedAtStart()];
    const requests = () => backend.db('send_approval').whereIn('campaign_id', [draft, paused]);
    const open = await requests();
    expect(open.map(({ outcome }) => outcome)).to.deep.equal([null, null]);
    await backend.service('POST', '/tenant-integrations/ti-a:uninstall', {});

    for (const request of await requests())
      expect(request).to.include({ outcome: 'withdrawn', decidedBy: 'platform', reason: null });
    const statuses = await backend.db('campaign').whereIn('campaign_id', [draft, paused]).select();
    const statusOf = (id: string) => statuses.find(({ campaignId }) => campaignId === id)?.status;
    expect([statusOf(draft), statusOf(paused)]).to.deep.equal(['draft', 'cancelled']);
    for (const id of [draft, paused]) {
      const entries = await backend.db('audit_log').where({ object_id: id, action: 'campaign.withdraw' });
      expect(entries.map(({ actor, before }) => [actor, before.requestedBy])).to.deep.equal([
        ['platform', 'user-of-a'],
      ]);
    }

    const decide = (id: string) => {
      const approvalId = open.find(({ campaignId }) => campaignId === id)?.approvalId;
      return backend.act(id, 'approve', { token: olga, body: { approvalId } });
    };
    for (const id of [draft, paused]) expect((await decide(id)).body.code).to.equal('forbidden');
    const started = backend.flows.sends.length;
    await backend.install('a', { tenantIntegrationId: 'ti-a-again' });
    for (const id of [draft, paused]) expect((await decide(id)).body.code).to.equal('invalid_state');
    expect(backend.flows.sends).to.have.length(started);
    expect(await backend.db('broadcast_task').where({ campaign_id: draft })).to.deep.equal([]);

    const again = await backend.act(draft, 'send');
    expect([again.body.status, again.body.approval.outcome]).to.deep.equal(['draft', null]);
    const { approvalId } = again.body.approval;
    const approved = await backend.act(draft, 'approve', { token: olga, body: { approvalId } });
    expect([approved.status, approved.body.status]).to.deep.equal([202, 'sending']);
  });
});
