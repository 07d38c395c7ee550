import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { finishRound } from '#commands/outreach/sends/finish-round.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('closing a campaign', () => {
  const backend = useTwoTenants({ contacts: 10 });

  const source = (id: string, sourceId: string) =>
    rows(
      backend.db,
      `with s as (insert into entry_source (tenant_id, source_id, campaign_id) values ('a', :sourceId, :id))
       update campaign set source_id = :sourceId where campaign_id = :id`,
      { id, sourceId },
    );
  const patch = async (id: string, body: object) => {
    const etag = (await backend.call('GET', `/campaigns/${id}`)).headers.get('etag') ?? '';
    return await backend.call('PATCH', `/campaigns/${id}`, { body, headers: { 'If-Match': etag } });
  };

  it('closes from every sent state, once, and rejects a draft, a viewer and another tenant', async () => {
    const id = await backend.draft();
    const draft = await backend.act(id, 'close');
    expect([draft.status, draft.body.code]).to.deep.equal([409, 'invalid_state']);
    for (const status of ['scheduled', 'sending', 'paused', 'completed', 'partially_failed', 'failed', 'cancelled']) {
      const sent = await backend.draft();
      await backend.act(sent, 'send');
      const reason = status === 'paused' ? 'operator' : null;
      await backend.db('campaign').where({ campaign_id: sent }).update({ status, pause_reason: reason });
      const response = await backend.act(sent, 'close');
      expect([response.status, response.body.status], status).to.deep.equal([200, 'closed']);
      expect(response.body.closedAt).to.be.a('string');
      expect((await backend.act(sent, 'close')).body.code).to.equal('invalid_state');
      expect(backend.flows.closed.filter((closed) => closed === sent)).to.have.length(1);
      expect(await backend.db('audit_log').where({ object_id: sent, action: 'campaign.close' })).to.have.length(1);
    }
    const viewer = await backend.token('a', 'viewer', 'v');
    expect((await backend.act(id, 'close', { token: viewer })).status).to.equal(403);
    expect((await backend.act(id, 'close', { token: backend.foreign })).status).to.equal(404);
  });

  it('is finished once nothing of it is open at the platform', async () => {
    const finishedAt = async (id: string) => {
      await finishRound(backend.db, { tenantId: 'a', campaignId: id, now: new Date() });
      return (await backend.call('GET', `/campaigns/${id}/progress`)).body.finishedAt;
    };
    const unsent = await backend.draft();
    await backend.act(unsent, 'send');
    expect((await backend.act(unsent, 'close')).body.finishedAt).to.be.a('string');
    const id = await backend.draft();
    await backend.act(id, 'send');
    const task = () => backend.db('broadcast_task').where({ campaign_id: id });
    await task().update({ status: 'sending', task_id: 'closed-1' });
    await backend.act(id, 'close');
    expect(await finishedAt(id)).to.equal(null);
    const end = new Date(Date.now() - 5000).toISOString();
    await task().update({ status: 'completed', finished_at: end });
    expect(await finishedAt(id)).to.equal(end);
    const campaign = (await backend.call('GET', `/campaigns/${id}`)).body;
    expect([campaign.status, campaign.finishedAt]).to.deep.equal(['closed', end]);
  });

  it('stops all sending, and allows no other operation', async () => {
    const id = await backend.draft();
    await backend.act(id, 'send');
    await backend.act(id, 'close');
    const progress = (await backend.call('GET', `/campaigns/${id}/progress`)).body;
    expect(progress).to.deep.include({ status: 'closed', subTasks: { cancelled: { tasks: 1, contacts: 2 } } });
    for (const action of ['send', 'pause', 'resume', 'cancel'])
      expect((await backend.act(id, action)).body.code, action).to.equal('invalid_state');
  });

  it('requires F2 only if name or end of a sent campaign changed', async () => {
    const id = await backend.draft();
    const wanted = async () => (await backend.db('entry_source').where({ campaign_id: id }).first())?.wanted;
    await patch(id, { name: 'Still a draft' });
    await backend.act(id, 'send');
    await source(id, 'source-a');
    await patch(id, { note: 'told to nobody' });
    expect([await wanted(), backend.flows.updated]).to.deep.equal([0, []]);
    expect((await patch(id, { name: 'Renamed' })).status).to.equal(200);
    expect([await wanted(), backend.flows.updated]).to.deep.equal([1, [id]]);
    expect((await patch(id, { endsAt: new Date(Date.now() + 3_600_000).toISOString() })).status).to.equal(200);
    expect(await wanted()).to.equal(2);
    await backend.act(id, 'close');
    await patch(id, { name: 'Closed already' });
    expect([await wanted(), backend.flows.updated]).to.deep.equal([2, [id, id]]);
  });
});
