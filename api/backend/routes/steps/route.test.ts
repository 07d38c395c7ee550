import { expect } from 'chai';
import { deleteUninstalled } from '#db/outreach/retention/uninstalled.ts';
import { pauseDueSteps } from '#commands/outreach/steps/pause-due-steps.ts';
import { useStepCampaigns } from '#test/support/outreach/step-campaigns.ts';
import { contactId } from '#test/support/services/backend.ts';

const HOUR = 3_600_000;

describe('steps of a campaign', () => {
  const {
    backend,
    start,
    at,
    travel,
    call,
    post,
    get,
    stepsOf,
    look,
    card,
    send,
    complete,
    click,
    recipients,
    standings,
    tokens,
  } = useStepCampaigns();

  it('are paused after a restore where they may have been sent since the backup, until somebody resumes them', async () => {
    const id = await send();
    await look(id, start);
    await complete(id, at(2));
    expect(await look(id, at(24))).to.include({ state: 'time' });
    const ofIt = async (now: Date) =>
      (await pauseDueSteps(backend.db, now)).filter(({ campaignId }) => campaignId === id);
    expect(await ofIt(at(25))).to.deep.equal([]);
    expect(await ofIt(at(27))).to.deep.equal([{ tenantId: 'a', campaignId: id, name: 'Spring offer', position: 1 }]);
    expect(await ofIt(at(27)), 'again').to.deep.equal([]);
    expect(await look(id, at(27))).to.include({ state: 'paused', nextLookAt: null });
    await travel(at(27));
    expect((await stepsOf(id))[0]).to.include({ state: 'waiting', pauseReason: 'restored', campaignId: null });
    const followed = backend.flows.followed.length;
    const resumed = await post(`/campaigns/${id}/steps:resume`);
    expect([resumed.status, resumed.body.items[0].pauseReason]).to.deep.equal([200, null]);
    expect(backend.flows.followed.slice(followed)).to.deep.equal([id]);
    expect((await post(`/campaigns/${id}/steps:resume`)).status).to.equal(409);
    expect(await look(id, at(27))).to.include({ state: 'sent', position: 1 });
  });

  it('are sent each to whom the message before reached, by what they did', async () => {
    const id = await send();
    expect(await look(id, start)).to.deep.include({ state: 'submission', position: 1, nextLookAt: at(24) });
    await complete(id, at(2));
    await travel(at(3));
    expect((await stepsOf(id))[0]).to.deep.include({ state: 'waiting', dueAt: at(26).toISOString() });
    expect(await look(id, at(24))).to.deep.include({ state: 'time', nextLookAt: at(26) });
    await click(id, 1, at(20));
    const first = await look(id, at(26));
    expect(first).to.deep.include({ state: 'sent', position: 1, nextLookAt: at(26) });
    const sentAs = first.send?.campaignId ?? '';
    expect(await recipients(sentAs)).to.deep.equal([2, 3, 4].map(contactId));
    await travel(at(26));
    const campaign = await get(`/campaigns/${sentAs}`);
    expect(campaign).to.deep.include({
      name: 'Spring offer · 2',
      status: 'sending',
      steps: null,
      variants: null,
      holdoutPercent: null,
      stepOf: { campaignId: id, name: 'Spring offer', position: 1 },
      runOf: null,
    });
    expect(campaign.messages).to.deep.equal([card('After 24')]);
    await complete(sentAs, at(26));
    await click(sentAs, 3, at(30));
    // Whoever clicks the first message now was decided about.
    await click(id, 2, at(31));
    const second = await look(id, at(74));
    expect(await recipients(second.send?.campaignId ?? '')).to.deep.equal([contactId(3)]);
    expect(second.nextLookAt).to.equal(null);
    await travel(at(75));
    expect(await stepsOf(id)).to.deep.equal([
      {
        position: 1,
        after: { amount: 24, unit: 'hours' },
        condition: { outcome: 'not_clicked' },
        state: 'sent',
        reason: null,
        dueAt: at(26).toISOString(),
        pauseReason: null,
        decidedAt: at(26).toISOString(),
        campaignId: sentAs,
        campaignStatus: 'completed',
        audienceCount: 3,
        clickedContacts: 1,
      },
      {
        position: 2,
        after: { amount: 48, unit: 'hours' },
        condition: { outcome: 'clicked' },
        state: 'sent',
        reason: null,
        dueAt: at(74).toISOString(),
        pauseReason: null,
        decidedAt: at(74).toISOString(),
        campaignId: second.send?.campaignId,
        campaignStatus: 'sending',
        audienceCount: 1,
        clickedContacts: 0,
      },
    ]);
    expect(await look(id, at(80))).to.deep.include({ state: 'ended', nextLookAt: null });
    const actions = await backend.db('audit_log').where({ objectId: id, action: 'campaign.run_step' });
    expect(actions).to.have.length(2);
  });

  it('are sent once, whoever looks, and however many at once', async () => {
    const id = await send();
    await complete(id, start);
    const looks = await Promise.all([1, 2, 3, 4].map(() => look(id, at(24))));
    expect(looks.filter((one) => one.send !== null)).to.have.length(1);
    expect(await backend.db('campaign').where({ name: 'Spring offer · 2', tenant_id: 'a' })).to.satisfy(
      (found: { campaignId: string }[]) =>
        found.filter((one) => one.campaignId === looks.find((l) => l.send)?.send?.campaignId).length === 1,
    );
    const rows = await backend.db('campaign_step').where({ campaignId: id }).orderBy('position');
    expect(rows.map(({ state }) => state)).to.deep.equal(['sent', 'waiting']);
  });

  it('wait while clicks that have arrived are not handled, and while the platform is not finished', async () => {
    const id = await send();
    await complete(id, start);
    await backend.db('broadcast_task').where({ campaignId: id }).update({ status: 'sending' });
    expect(await look(id, at(25))).to.deep.include({
      state: 'outcome',
      nextLookAt: new Date(at(25).getTime() + 300_000),
    });
    await complete(id, start);
    const event = {
      tenant_id: 'a',
      tenant_integration_id: 'ti-a',
      event_id: `late-${id}`,
      event_type: 'notice.clicked',
      payload: '{}',
      partition: 0,
      status: 'stored',
      service_number_id: 'sn-1',
      occurred_at: at(1),
      received_at: at(1),
    };
    await backend.db('event_inbox').insert(event);
    expect(await look(id, at(26))).to.deep.include({ state: 'inbox', nextLookAt: new Date(at(26).getTime() + 5000) });
    await backend.db('event_inbox').where({ event_id: event.event_id }).update({ status: 'processed' });
    expect((await look(id, at(27))).state).to.equal('sent');
  });

  it('are skipped, and with one those after it, when nobody is left, and nothing of a campaign stays', async () => {
    const id = await send();
    await complete(id, start);
    for (const contact of [1, 2, 3, 4]) await click(id, contact, at(1));
    const before = await backend.db('campaign').where({ tenant_id: 'a' }).count();
    expect(await look(id, at(24))).to.deep.include({ state: 'skipped', reason: 'audience_empty', nextLookAt: null });
    expect(await standings(id)).to.deep.equal([
      ['skipped', 'audience_empty'],
      ['skipped', 'previous_skipped'],
    ]);
    expect(await backend.db('campaign').where({ tenant_id: 'a' }).count()).to.deep.equal(before);
  });

  it('do not follow what was cancelled, closed or failed, and say so at once', async () => {
    const id = await send();
    await post(`/campaigns/${id}:cancel`);
    const ended = [
      ['cancelled', 'campaign_cancelled'],
      ['cancelled', 'campaign_cancelled'],
    ];
    expect(await standings(id)).to.deep.equal(ended);
    expect(await look(id, at(1))).to.deep.include({ state: 'cancelled', nextLookAt: null });
    expect(await standings(id)).to.deep.equal(ended);
    const other = await send();
    await complete(other, start);
    const { send: sent } = await look(other, at(24));
    await backend.db('campaign').where({ campaignId: sent?.campaignId }).update({ status: 'failed' });
    await look(other, at(90));
    expect(await standings(other)).to.deep.equal([
      ['sent', null],
      ['cancelled', 'previous_failed'],
    ]);
  });

  it('wait while the campaign is paused', async () => {
    const id = await send();
    expect((await post(`/campaigns/${id}:pause`)).body.status).to.equal('paused');
    expect((await look(id, at(100))).state).to.equal('submission');
  });

  it('are cancelled by an operator, all or from one on, once', async () => {
    const id = await send();
    const some = await post(`/campaigns/${id}/steps:cancel`, { from: 2 });
    expect(some.status).to.equal(200);
    expect(await standings(id)).to.deep.equal([
      ['waiting', null],
      ['cancelled', 'operator'],
    ]);
    await complete(id, start);
    expect((await look(id, at(24))).nextLookAt).to.equal(null);
    expect((await post(`/campaigns/${id}/steps:cancel`, {})).body.code).to.equal('invalid_state');
    const all = await send();
    await complete(all, start);
    await post(`/campaigns/${all}/steps:cancel`, {});
    expect((await look(all, at(24))).state).to.equal('ended');
    expect(await backend.db('audit_log').where({ objectId: all, action: 'campaign.cancel_steps' })).to.have.length(1);
    const foreign = { token: tokens().foreign };
    expect((await call('GET', `/campaigns/${all}/steps`, foreign)).status).to.equal(404);
    expect((await call('POST', `/campaigns/${id}/steps:cancel`, { ...foreign, body: {} })).status).to.equal(404);
  });

  it('need no approval of their own where their campaign was approved, and else as any send', async () => {
    const setLimit = (limit: number | null) =>
      backend.db('tenant').where({ tenantId: 'a' }).update({ sendsNeedApproval: limit });
    await setLimit(1);
    const id = await send();
    expect(await backend.db('campaign_step').where({ campaignId: id })).to.deep.equal([]);
    const { approvalId } = (await get(`/campaigns/${id}`)).approval;
    const approved = await call('POST', `/campaigns/${id}:approve`, { token: tokens().other, body: { approvalId } });
    expect(approved.status, JSON.stringify(approved.body)).to.equal(202);
    await complete(id, start);
    const { send: sent } = await look(id, at(24));
    expect(await recipients(sent?.campaignId ?? '')).to.have.length(4);
    await setLimit(null);
    const unapproved = await send();
    await complete(unapproved, start);
    await setLimit(1);
    expect((await look(unapproved, at(24))).state).to.equal('approval');
    await setLimit(null);
    const [waiting] = await stepsOf(unapproved);
    expect(waiting).to.deep.include({ state: 'approval', campaignStatus: 'draft' });
    expect((await look(unapproved, at(100))).state).to.equal('submission');
    const { approval } = await get(`/campaigns/${waiting.campaignId}`);
    const body = { approvalId: approval.approvalId, reason: 'Not this one' };
    const rejected = await call('POST', `/campaigns/${waiting.campaignId}:reject`, { token: tokens().other, body });
    expect(rejected.status, JSON.stringify(rejected.body)).to.equal(200);
    expect(await look(unapproved, at(100))).to.include({ state: 'cancelled', reason: 'previous_rejected' });
    expect((await stepsOf(unapproved))[1]).to.include({ state: 'cancelled', reason: 'previous_rejected' });
  });

  it('are looked at earlier when a scheduled campaign starts earlier', async () => {
    const id = await send({ schedule: { type: 'scheduled', at: at(100).toISOString() } });
    expect((await look(id, start)).nextLookAt).to.deep.equal(at(124));
    const moved = await call('PATCH', `/campaigns/${id}`, {
      body: { schedule: { type: 'scheduled', at: at(10).toISOString() } },
      headers: { 'If-Match': '*' },
    });
    expect(moved.status, JSON.stringify(moved.body)).to.equal(200);
    const [row] = await backend.db('campaign_step').where({ campaignId: id, position: 1 });
    expect(row.nextLookAt).to.deep.equal(start);
    expect((await look(id, start)).nextLookAt).to.deep.equal(at(34));
  });

  it('end with the tenant, also of a campaign that is over, and are deleted with what is kept of it', async () => {
    const id = await send();
    await complete(id, start);
    await backend.service('POST', '/tenant-integrations/ti-a:uninstall', {});
    const found = await backend.db('campaign_step').where({ campaignId: id });
    expect(found.map(({ state, reason }) => [state, reason])).to.deep.equal([
      ['cancelled', 'uninstalled'],
      ['cancelled', 'uninstalled'],
    ]);
    expect(await backend.db('ending_workflow').where({ campaignId: id, kind: 'steps' })).to.have.length(1);
    expect((await look(id, at(24))).state).to.equal('ended');
    while ((await deleteUninstalled(backend.db, new Date(Date.now() + HOUR * 100_000))) > 0);
    expect(await backend.db('campaign_step')).to.deep.equal([]);
  });
});
