import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';
import { freezeTime } from './freezing.ts';

describe('A17: an audience that is resolved when the campaign starts', () => {
  const backend = useTwoTenants({ contacts: 30 });
  const at = new Date(Date.now() + 3_600_000);
  const schedule = { type: 'scheduled' as const, at: at.toISOString(), audience: 'at_start' as const };

  const call = (method: string, path: string, body?: unknown) =>
    backend.call(method, path, body === undefined ? {} : { body });
  async function draftToTag(contactIds: string[]): Promise<{ id: string; tagId: string }> {
    const tag = { name: `Tag ${contactIds.length} ${Math.random()}`, serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = (await call('POST', '/tags', tag)).body;
    if (contactIds.length > 0) await call('POST', `/tags/${tagId}/assignments`, { contactIds });
    const audience = { type: 'app_tags' as const, appTagIds: [tagId], tagOperator: 'OR' as const };
    return { id: await backend.draft({ audience, schedule }), tagId };
  }
  const dispatchOf = async (id: string) => {
    const row = await backend.db('dispatch').where({ campaignId: id }).first();
    return { tenantId: 'a', dispatchId: row.dispatchId as string };
  };
  const recipients = async (dispatchId: string) =>
    await backend.db('dispatch_recipient').where({ dispatch_id: dispatchId }).orderBy('contact_id').pluck('contact_id');

  it('is counted by :send, and frozen as of the start', async () => {
    const { id, tagId } = await draftToTag(['c-0000001', 'c-0000002']);
    expect((await call('GET', `/campaigns/${id}`)).body.schedule).to.deep.equal(schedule);
    const sent = await backend.act(id, 'send', { body: { expectedReachableCount: 2 } });
    expect([sent.status, sent.body.status, sent.body.audienceCount]).to.deep.equal([202, 'scheduled', 2]);
    const key = await dispatchOf(id);
    expect(await recipients(key.dispatchId)).to.deep.equal([]);
    expect(await freezeTime(backend.db, key)).to.deep.equal(at);
    const progress = (await call('GET', `/campaigns/${id}/progress`)).body;
    expect(progress).to.deep.include({ status: 'scheduled', preparing: { contacts: 2 }, subTasks: {} });

    await call('POST', `/tags/${tagId}/assignments`, { contactIds: ['c-0000003', 'c-0000004'] });
    await call('DELETE', `/tags/${tagId}/assignments`, { contactIds: ['c-0000001'] });
    expect(await freezeNextPage(backend.db, key, at)).to.equal(true);
    expect(await recipients(key.dispatchId)).to.deep.equal(['c-0000002', 'c-0000003', 'c-0000004']);
    const after = (await call('GET', `/campaigns/${id}/progress`)).body;
    expect(after).to.deep.include({ audienceCount: 3, preparing: { contacts: 0 } });
    expect(after.subTasks).to.deep.equal({ pending: { tasks: 1, contacts: 3 } });
  });

  const change = async (id: string, body: object) => {
    const { headers } = await call('GET', `/campaigns/${id}`);
    return await backend.call('PATCH', `/campaigns/${id}`, {
      body,
      headers: { 'If-Match': String(headers.get('etag')) },
    });
  };

  it('is resolved at another time once the start is moved, and at once if that is asked for', async () => {
    const { id } = await draftToTag(['c-0000001']);
    await backend.act(id, 'send');
    const key = await dispatchOf(id);
    const later = new Date(at.getTime() + 3_600_000);
    const moved = { ...schedule, at: later.toISOString() };
    const response = await change(id, { schedule: moved, messages: [{ type: 'text', text: 'Later' }] });
    expect([response.status, response.body.schedule, response.body.pendingEdit]).to.deep.equal([200, moved, null]);
    expect(await freezeTime(backend.db, key)).to.deep.equal(later);
    const [send] = await backend.db('dispatch').where({ campaignId: id });
    expect(send.scheduledAt).to.deep.equal(later);

    const now = await change(id, { schedule: { type: 'scheduled', at: moved.at } });
    expect([now.status, now.body.status]).to.deep.equal([200, 'scheduled']);
    expect(Number(await freezeTime(backend.db, key))).to.be.at.most(Date.now());
  });

  it('is not resolved a second time', async () => {
    const { id } = await draftToTag(['c-0000001']);
    expect((await change(id, { schedule: { type: 'scheduled', at: schedule.at } })).status).to.equal(200);
    await backend.act(id, 'send');
    const response = await change(id, { schedule });
    expect([response.status, response.body.errors[0].path]).to.deep.equal([422, '/schedule/audience']);
  });

  it('is not sent to a list that is still being filled: :send refuses it until the list is complete', async () => {
    const list = { name: 'Being filled', serviceNumberId: 'sn-1', type: 'contacts', contactIds: ['c-0000001'] };
    const { audienceId } = (await call('POST', '/audiences', list)).body;
    const stored = () => backend.db('audience').where({ audience_id: audienceId });
    const collecting = { campaignId: 'x', who: 'clicked', afterClick: null, afterTask: null };
    await stored().update({ collecting: JSON.stringify(collecting) });
    const id = await backend.draft({ audience: { type: 'contacts', audienceId }, schedule });
    const refused = await backend.act(id, 'send');
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'invalid_state']);
    await stored().update({ collecting: null });
    expect((await backend.act(id, 'send')).status).to.equal(202);
  });

  it('is rejected by :send as ever if it has changed or reaches nobody', async () => {
    const { id } = await draftToTag(['c-0000001']);
    const changed = await backend.act(id, 'send', { body: { expectedReachableCount: 5 } });
    expect([changed.status, changed.body.code]).to.deep.equal([409, 'audience_changed']);
    const nobody = await backend.act((await draftToTag([])).id, 'send');
    expect([nobody.status, nobody.body.code]).to.deep.equal([409, 'audience_empty']);
  });

  it('can be paused, resumed and cancelled before it is resolved, and then nobody is sent to', async () => {
    const { id } = await draftToTag(['c-0000001', 'c-0000002']);
    await backend.act(id, 'send');
    expect((await backend.act(id, 'pause')).body).to.include({ status: 'paused', pauseReason: 'operator' });
    expect((await backend.act(id, 'resume')).body).to.include({ status: 'scheduled' });
    expect((await backend.act(id, 'cancel')).body).to.include({ status: 'cancelled', cancelOutcome: 'cancelled' });
    const { dispatchId } = await dispatchOf(id);
    expect(await recipients(dispatchId)).to.deep.equal([]);
  });

  it('is one of two values', async () => {
    const body = { schedule: { type: 'scheduled', at: at.toISOString(), audience: 'sometimes' } };
    const { id } = await draftToTag([]);
    const response = await change(id, body);
    expect([response.status, response.body.errors[0].path]).to.deep.equal([400, '/schedule/audience']);
  });
});
