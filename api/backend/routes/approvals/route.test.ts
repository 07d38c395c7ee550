import { expect } from 'chai';
import type { Campaign } from '#domain/api/campaign.ts';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { contactId } from '#test/support/services/backend.ts';
import type { TwoTenants } from '#test/support/services/two-tenants.ts';

const people = Array.from({ length: 5 }, (_, n) => contactId(n + 1));
const everyone = { type: 'contacts' as const, contactIds: people };
/** Less than tokens live. */
const SOON_MS = 120_000;

async function limitTo(backend: TwoTenants, sendsNeedApproval: number | null): Promise<void> {
  const token = await backend.token('a', 'tenant_admin', 'ada');
  const { status } = await backend.call('PATCH', '/tenant-settings', { token, body: { sendsNeedApproval } });
  expect(status).to.equal(200);
}

/** The sends of a campaign that are stored or that a workflow was started for. */
async function sendsOf(backend: TwoTenants, id: string) {
  const [dispatches, subTasks] = await Promise.all(
    ['dispatch', 'broadcast_task'].map((table) => backend.db(table).where({ campaign_id: id })),
  );
  const started = backend.flows.sends.filter(({ campaignId }) => campaignId === id);
  return { dispatches: dispatches?.length, subTasks: subTasks?.length, started: started.length };
}
const nothing = { dispatches: 0, subTasks: 0, started: 0 };
const one = { dispatches: 1, subTasks: 1, started: 1 };

const actionsOn = async (backend: TwoTenants, id: string) =>
  await backend
    .db('audit_log')
    .where({ object_id: id })
    .whereNot({ action: 'campaign.create' })
    .orderBy('audit_id')
    .select('actor', 'action');

describe('sends that another operator approves', () => {
  const backend = useTwoTenants({ contacts: 30 });
  let olga = '';
  before(async () => {
    olga = await backend.token('a', 'marketing_operator', 'olga');
    await limitTo(backend, 4);
  });

  const get = async (id: string) => (await backend.call('GET', `/campaigns/${id}`)).body;
  async function asked(more: Parameters<TwoTenants['draft']>[0] = {}): Promise<{ id: string; approvalId: string }> {
    const id = await backend.draft({ audience: everyone, ...more });
    const { status, body } = await backend.act(id, 'send', { body: { expectedReachableCount: 5 } });
    expect([status, body.status, body.approval?.outcome]).to.deep.equal([202, 'draft', null]);
    return { id, approvalId: body.approval.approvalId };
  }

  it('sends to as many contacts as the limit at once, and asks above it', async () => {
    const small = await backend.draft({ audience: { ...everyone, contactIds: people.slice(0, 4) } });
    expect((await backend.act(small, 'send')).body).to.include({ status: 'sending', approval: null });
    expect(await sendsOf(backend, small)).to.deep.equal(one);

    const { id } = await asked();
    expect(await sendsOf(backend, id)).to.deep.equal(nothing);
    expect(await backend.db('dispatch_recipient').where({ dispatch_id: id })).to.deep.equal([]);
    const { approval, audienceCount } = await get(id);
    expect(approval).to.deep.include({ contacts: 5, above: 4, reason: 'contacts', sum: null });
    expect(approval).to.include({ requestedBy: 'user-of-a', decidedBy: null, rejection: null });
    expect(audienceCount).to.equal(null);
    expect(await actionsOn(backend, id)).to.deep.equal([{ actor: 'user-of-a', action: 'campaign.request_approval' }]);
  });

  it('sends exactly once, in the name of who asked, when another operator approves', async () => {
    const { id, approvalId } = await asked();
    const response = await backend.act(id, 'approve', { token: olga, body: { approvalId } });
    expect([response.status, response.body.status]).to.deep.equal([202, 'sending']);
    expect(response.body).to.include({ audienceCount: 5, confirmedBy: 'user-of-a' });
    expect(response.body.approval).to.include({ outcome: 'approved', decidedBy: 'olga' });
    expect(await sendsOf(backend, id)).to.deep.equal(one);
    expect(await actionsOn(backend, id)).to.deep.equal([
      { actor: 'user-of-a', action: 'campaign.request_approval' },
      { actor: 'olga', action: 'campaign.send' },
      { actor: 'olga', action: 'campaign.approve' },
    ]);
    const entry = await backend.db('audit_log').where({ object_id: id, action: 'campaign.approve' }).first();
    expect([entry.before.requestedBy, entry.after.approvedBy]).to.deep.equal(['user-of-a', 'olga']);
  });

  it('lets neither who asked, nor a viewer, nor another tenant decide', async () => {
    const { id, approvalId } = await asked();
    const viewer = await backend.token('a', 'viewer', 'vera');
    const body = { approvalId, reason: 'No' };
    for (const action of ['approve', 'reject']) {
      const own = await backend.act(id, action, { body });
      expect([own.status, own.body.code]).to.deep.equal([403, 'own_request']);
      expect((await backend.act(id, action, { token: viewer, body })).body.code).to.equal('forbidden');
      expect((await backend.act(id, action, { token: backend.foreign, body })).status).to.equal(404);
    }
    const stranger = await backend.act(id, 'withdraw', { token: olga, body });
    expect([stranger.status, stranger.body.code]).to.deep.equal([403, 'forbidden']);
    await backend.refusals.close();
    const refused = await backend.db('audit_log').where({ action: 'access.refuse' }).orderBy('audit_id');
    expect(refused.map(({ actor, objectId }) => `${actor} ${objectId}`)).to.deep.equal([
      'user-of-a POST /api/v1/campaigns/{id}:approve',
      'user-of-a POST /api/v1/campaigns/{id}:reject',
      'olga POST /api/v1/campaigns/{id}:withdraw',
    ]);
    expect([(await get(id)).approval.outcome, await sendsOf(backend, id)]).to.deep.equal([null, nothing]);
  });

  it('lets one of several people who decide at once do so', async () => {
    const { id, approvalId } = await asked();
    const tokens = await Promise.all(
      ['olga', 'omar', 'oren', 'orla'].map((name) => backend.token('a', undefined, name)),
    );
    const responses = await Promise.all(
      tokens.map((token) => backend.act(id, 'approve', { token, body: { approvalId } })),
    );
    expect(responses.map(({ status }) => status).toSorted()).to.deep.equal([202, 409, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.code).to.equal('invalid_state');
    expect(await sendsOf(backend, id)).to.deep.equal(one);
  });

  it('keeps the content as it was asked for, until the request is taken back', async () => {
    const { id, approvalId } = await asked();
    const headers = { 'If-Match': (await backend.call('GET', `/campaigns/${id}`)).body.etag };
    const change = (etag: string) =>
      backend.call('PATCH', `/campaigns/${id}`, { body: { name: 'Other' }, headers: { 'If-Match': etag } });
    expect((await change(headers['If-Match'])).body.code).to.equal('invalid_state');
    expect((await backend.call('DELETE', `/campaigns/${id}`, { headers })).body.code).to.equal('invalid_state');
    expect((await backend.act(id, 'send')).body.code).to.equal('invalid_state');
    const withdrawn = await backend.act(id, 'withdraw', { body: { approvalId } });
    expect([withdrawn.status, withdrawn.body.status]).to.deep.equal([200, 'draft']);
    expect(withdrawn.body.approval).to.include({ outcome: 'withdrawn', decidedBy: 'user-of-a' });
    expect((await change(headers['If-Match'])).status, 'its state is another').to.equal(412);
    expect((await change(withdrawn.body.etag)).status).to.equal(200);
    expect((await backend.act(id, 'approve', { token: olga, body: { approvalId } })).status).to.equal(409);
    expect(await sendsOf(backend, id)).to.deep.equal(nothing);
  });

  it('gives a rejected campaign back with the reason, and a later request has to be decided by itself', async () => {
    const { id, approvalId } = await asked();
    const body = { approvalId, reason: 'The price is wrong' };
    expect((await backend.act(id, 'reject', { token: olga, body: { approvalId, reason: ' ' } })).status).to.equal(400);
    const rejected = await backend.act(id, 'reject', { token: olga, body });
    expect([rejected.status, rejected.body.status]).to.deep.equal([200, 'draft']);
    expect(rejected.body.approval).to.include({
      outcome: 'rejected',
      decidedBy: 'olga',
      rejection: 'The price is wrong',
    });
    const entry = await backend.db('audit_log').where({ object_id: id, action: 'campaign.reject' }).first();
    expect([entry.actor, entry.before.requestedBy, entry.after.reason]).to.deep.equal([
      'olga',
      'user-of-a',
      'The price is wrong',
    ]);
    const again = (await backend.act(id, 'send')).body.approval;
    expect(again.approvalId).not.to.equal(approvalId);
    expect((await backend.act(id, 'approve', { token: olga, body: { approvalId } })).status).to.equal(409);
    expect(await sendsOf(backend, id)).to.deep.equal(nothing);
  });

  it('is waited for although an earlier request has the same time', async () => {
    const { id, approvalId } = await asked();
    await backend.act(id, 'withdraw', { body: { approvalId } });
    await backend.act(id, 'send', { body: { expectedReachableCount: 5 } });
    for (const open of ['asc', 'desc'] as const) {
      // Whichever of the two is stored last.
      const [request] = await backend.db('send_approval').where({ campaign_id: id }).orderBy('approval_id', open);
      await backend.db('send_approval').where(request).update({ requested_at: '2026-01-01T00:00:00Z' });
    }
    expect((await get(id)).approval).to.include({ outcome: null });
    const again = await backend.act(id, 'send', { body: { expectedReachableCount: 5 } });
    expect([again.status, again.body.code]).to.deep.equal([409, 'invalid_state']);
  });

  it('asks once for one Idempotency-Key, before and after the decision', async () => {
    const id = await backend.draft({ audience: everyone });
    const headers = { 'Idempotency-Key': 'asked-once' };
    const responses = await Promise.all(Array.from({ length: 4 }, () => backend.act(id, 'send', { headers })));
    expect(responses.map(({ status }) => status)).to.deep.equal(Array(4).fill(202));
    expect(await backend.db('send_approval').where({ campaign_id: id })).to.have.length(1);
    const { approvalId } = responses[0]?.body.approval ?? {};
    await backend.act(id, 'approve', { token: olga, body: { approvalId } });
    expect((await backend.act(id, 'send', { headers })).body.status).to.equal('sending');
    expect(await sendsOf(backend, id)).to.deep.equal(one);
  });

  it('is approved for the number that the approver saw', async () => {
    const { id, approvalId } = await asked();
    const gone = { contact_id: people[0] ?? '' };
    await backend.db('contact_profile').where(gone).update({ follow_state: 'unfollowed' });
    const approve = (more = {}) => backend.act(id, 'approve', { token: olga, body: { approvalId, ...more } });
    const moved = await approve();
    expect([moved.status, moved.body.code, await sendsOf(backend, id)]).to.deep.equal([
      409,
      'audience_changed',
      nothing,
    ]);
    expect((await get(id)).approval.outcome).to.equal(null);
    expect((await approve({ expectedReachableCount: 4 })).body).to.include({ status: 'sending', audienceCount: 4 });
    await backend.db('contact_profile').where(gone).update({ follow_state: 'following' });
  });

  it('is not approved once its start has passed', async () => {
    const at = new Date(Date.now() + SOON_MS);
    const { id, approvalId } = await asked({ schedule: { type: 'scheduled', at: at.toISOString() } });
    backend.setNow(new Date(at.getTime() + 1000));
    const late = await backend.act(id, 'approve', { token: olga, body: { approvalId } });
    backend.setNow(null);
    expect([late.status, late.body.errors?.[0]?.path]).to.deep.equal([422, '/schedule/at']);
    expect([(await get(id)).approval.outcome, await sendsOf(backend, id)]).to.deep.equal([null, nothing]);
    const inTime = await backend.act(id, 'approve', { token: olga, body: { approvalId } });
    expect([inTime.status, inTime.body.status]).to.deep.equal([202, 'scheduled']);
    const etag = String(inTime.headers.get('etag'));
    const change = await backend.call('PATCH', `/campaigns/${id}`, {
      body: { messages: [{ type: 'text', text: 'Something else' }] },
      headers: { 'If-Match': etag },
    });
    expect([change.status, change.body.code]).to.deep.equal([409, 'approval_required']);
  });

  it('still needs the approval it was asked for when the limit goes', async () => {
    const { id, approvalId } = await asked();
    await limitTo(backend, null);
    expect((await backend.act(id, 'send')).body.code).to.equal('invalid_state');
    expect((await backend.act(id, 'approve', { token: olga, body: { approvalId } })).status).to.equal(202);
    await limitTo(backend, 4);
  });

  it('needs no approval for test sends, and one that waits is listed for attention', async () => {
    const { id } = await asked();
    const token = await backend.token('a', 'tenant_admin', 'ada');
    const testContacts = people.map((person) => ({ serviceNumberId: 'sn-1', contactId: person }));
    expect((await backend.call('PATCH', '/tenant-settings', { token, body: { testContacts } })).status).to.equal(200);
    expect((await backend.act(id, 'test-send', { body: { contactIds: people } })).status).to.equal(200);
    const { waitingSends, pausedCampaigns } = (await backend.call('GET', '/overview')).body.attention;
    const item = waitingSends.items.find(({ campaignId }: { campaignId: string }) => campaignId === id);
    expect(item).to.include({ contacts: 5, requestedBy: 'user-of-a', isPaused: false });
    expect(pausedCampaigns.count).to.equal(0);

    const listed = async (query: string): Promise<string[]> =>
      (await backend.call('GET', `/campaigns?limit=200${query}`)).body.items.map((item: { id: string }) => item.id);
    const open = await backend.db('send_approval').whereNull('outcome').pluck('campaign_id');
    expect((await listed('&approval=waiting')).toSorted())
      .to.deep.equal(open.toSorted())
      .and.include(id);
    expect((await listed('')).length).to.be.above(open.length);
    expect(await listed('&approval=waiting&status=paused')).to.deep.equal([]);
    const ofOther = await backend.call('GET', '/campaigns?approval=waiting', { token: backend.foreign });
    expect(ofOther.body.items).to.deep.equal([]);
    const csv = await backend.call('GET', '/campaigns.csv?approval=waiting');
    expect(String(csv.body).trim().split('\n')).to.have.length(open.length + 1);
    expect((await backend.call('GET', '/campaigns?approval=other')).status).to.equal(400);
  });
});

describe('an audience that turns out to need approval when the campaign starts', () => {
  const backend = useTwoTenants({ contacts: 30 });
  const at = new Date(Date.now() + SOON_MS);
  let olga = '';
  before(async () => {
    olga = await backend.token('a', 'marketing_operator', 'olga');
    await limitTo(backend, 4);
  });
  afterEach(() => backend.setNow(null));

  /** A campaign of one contact when it is sent, and of five when it starts. */
  async function held(): Promise<{ id: string; approvalId: string }> {
    backend.setNow(null);
    const tag = { name: `Tag ${Math.random()}`, serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = (await backend.call('POST', '/tags', { body: tag })).body;
    const assign = (contactIds: string[]) =>
      backend.call('POST', `/tags/${tagId}/assignments`, { body: { contactIds } });
    await assign(people.slice(0, 1));
    const id = await backend.draft({
      audience: { type: 'app_tags', appTagIds: [tagId], tagOperator: 'OR' },
      schedule: { type: 'scheduled', at: at.toISOString(), audience: 'at_start' },
    });
    expect((await backend.act(id, 'send')).body).to.include({ status: 'scheduled', approval: null });
    await assign(people);
    const { dispatchId } = await backend.db('dispatch').where({ campaign_id: id }).first();
    backend.setNow(at);
    expect(await freezeNextPage(backend.db, { tenantId: 'a', dispatchId }, at)).to.equal(true);
    const { body } = await backend.call('GET', `/campaigns/${id}`);
    expect(body).to.include({ status: 'paused', pauseReason: 'approval', audienceCount: 5 });
    expect(body.approval).to.include({ contacts: 5, above: 4, requestedBy: 'user-of-a', outcome: null });
    return { id, approvalId: body.approval.approvalId };
  }

  it('waits, is not resumed by anybody, and goes on once it is approved', async () => {
    const { id, approvalId } = await held();
    const resumed = await backend.act(id, 'resume', { token: olga });
    expect([resumed.status, resumed.body.code]).to.deep.equal([409, 'approval_required']);
    expect((await backend.call('GET', `/campaigns/${id}/actions`)).body).to.include({ resume: null, cancel: 5 });
    const body = { approvalId };
    expect((await backend.act(id, 'approve', { body })).body.code).to.equal('own_request');
    const before = backend.flows.sends.length;
    const approved = await backend.act(id, 'approve', { token: olga, body });
    expect([approved.status, approved.body.status]).to.deep.equal([202, 'sending']);
    expect(backend.flows.sends.slice(before).map(({ campaignId }) => campaignId)).to.deep.equal([id]);
  });

  it('is cancelled if it is rejected, withdrawn, cancelled or closed', async () => {
    const ways = [
      ['reject', olga, 'rejected', 'cancelled'],
      ['withdraw', backend.operator, 'withdrawn', 'cancelled'],
      ['cancel', olga, 'withdrawn', 'cancelled'],
      ['close', olga, 'withdrawn', 'closed'],
    ] as const;
    for (const [action, token, outcome, status] of ways) {
      const { id, approvalId } = await held();
      const decides = action === 'reject' || action === 'withdraw';
      const body = { approvalId, ...(action === 'reject' && { reason: 'Too many' }) };
      const response = await backend.act(id, action, { token, ...(decides && { body }) });
      expect([response.status, response.body.status], action).to.deep.equal([200, status]);
      expect(response.body.approval, action).to.include({ outcome });
      expect(await backend.db('broadcast_task').where({ campaign_id: id }).pluck('status')).to.deep.equal([
        'cancelled',
      ]);
    }
  });
});

describe('a send above the limit that a tool asks for', () => {
  const backend = useTwoTenants({ contacts: 30, toolApiEnabled: true });

  it('waits like any other, and whoever the tool acts for cannot approve it', async () => {
    await limitTo(backend, 4);
    const issued = await backend.service('POST', '/service-tokens', {
      platformTenantId: 'a',
      actor: { type: 'user', userId: 'user-of-a' },
      tools: ['dispatch_campaign'],
    });
    expect(issued.status, JSON.stringify(issued.body)).to.equal(200);
    const id = await backend.draft({ audience: everyone });
    const response = await fetch(`${backend.base}/tools/v1/dispatch_campaign`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${issued.body.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ campaignId: id, expectedReachableCount: 5 }),
    });
    const campaign: Campaign = JSON.parse(await response.text());
    expect([response.status, campaign.status]).to.deep.equal([202, 'draft']);
    expect(campaign.approval).to.include({ requestedBy: 'user-of-a', outcome: null });
    const approvalId = campaign.approval?.approvalId;
    const own = await backend.act(id, 'approve', { body: { approvalId } });
    expect([own.body.code, await sendsOf(backend, id)]).to.deep.equal(['own_request', nothing]);
  });
});
