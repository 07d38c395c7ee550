import { expect } from 'chai';
import type { Take } from '#domain/api/audiences.ts';
import { keyOf, sampleHash } from '#test/support/outreach/control-group.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { contactId } from '#test/support/services/backend.ts';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';
import { CONTACTS_PER_PAGE } from '../freezing.ts';

const CONTACTS = CONTACTS_PER_PAGE + 2500;

describe('a campaign to a sample of its audience', () => {
  const backend = useTwoTenants({ contacts: CONTACTS });

  const ids = (count: number) => Array.from({ length: count }, (_, n) => contactId(n + 1));
  const request = (method: string, path: string, body?: unknown) =>
    backend.call(method, path, { body, headers: { 'If-Match': '*' } });
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await request(method, path, body);
    expect(response.status, JSON.stringify(response.body)).to.be.below(300);
    return response.body;
  };
  const listed = (contactIds: string[], take?: Take) => ({
    type: 'contacts' as const,
    contactIds,
    ...(take && { take }),
  });
  const draft = (contactIds: string[], take: Take, more: object = {}) =>
    backend.draft({ audience: listed(contactIds, take), ...more });
  async function frozen(campaignId: string, number = 1) {
    const dispatch = await backend.db('dispatch').where({ campaign_id: campaignId, number }).first();
    const of = { dispatch_id: dispatch.dispatchId };
    const sent: string[] = await backend.db('dispatch_recipient').where(of).orderBy('contact_id').pluck('contact_id');
    const control = await backend.db('dispatch_control').where(of);
    return { dispatch, sent, control: control.flatMap(({ contactIds }) => contactIds as string[]) };
  }
  /** The first of these by the hash of the campaign. */
  const leastOf = async (campaignId: string, contacts: string[], count: number) => {
    const key = await keyOf(backend.db, campaignId);
    const hashed = contacts.map((one) => ({ one, hash: sampleHash(key, one) }));
    const sorted = hashed.toSorted((a, b) => a.hash.compare(b.hash));
    return sorted
      .slice(0, count)
      .map(({ one }) => one)
      .toSorted();
  };

  it('says how many are taken, and leaves what is reached as it is', async () => {
    const preview = (take?: Take) =>
      call('POST', '/audiences:preview', { serviceNumberId: 'sn-1', audience: listed(ids(11), take) });
    const whole = await preview();
    expect(whole).not.to.have.property('takenCount');
    expect(await preview({ percent: 50 })).to.deep.equal({ ...whole, takenCount: 6 });
    expect(await preview({ atMost: 4 })).to.deep.equal({ ...whole, takenCount: 4 });
    expect(await preview({ atMost: 400 })).to.deep.equal({ ...whole, takenCount: 11 });
  });

  it('sends to exactly so many, drawn by HMAC-SHA-256 with its key before anybody is held back', async () => {
    const everyone = ids(2500);
    const id = await draft(everyone, { atMost: 300 }, { holdoutPercent: 20 });
    const run = await call('POST', `/campaigns/${id}:dry-run`);
    const wrong = await request('POST', `/campaigns/${id}:send`, { expectedReachableCount: 300 });
    expect([wrong.status, wrong.body.code]).to.deep.equal([409, 'audience_changed']);
    const sent = await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: 2500 });
    const found = await frozen(id);
    expect([...found.sent, ...found.control].toSorted()).to.deep.equal(await leastOf(id, everyone, 300));
    expect(found.control.length).to.be.within(30, 100);
    const counts = { audienceCount: found.sent.length, controlCount: found.control.length };
    expect(sent).to.include(counts);
    expect(run).to.include(counts);
    expect(found.dispatch.leftOutCount).to.equal(2200);
    expect((await call('GET', `/campaigns/${id}/audience-drift`)).reasons).to.deep.equal([]);
    const { audienceCount, subTasks } = await call('GET', `/campaigns/${id}/progress`);
    expect([audienceCount, subTasks.pending.contacts]).to.deep.equal([found.sent.length, found.sent.length]);
  });

  it('sends to about so many of a hundred, anew in a copy and the same in a retry', async () => {
    const everyone = ids(1500);
    const id = await draft(everyone, { percent: 30 });
    await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: 1500 });
    const first = await frozen(id);
    expect(first.sent.length).to.be.within(350, 550);
    expect(first.sent).to.deep.equal(await leastOf(id, everyone, first.sent.length));
    const copy = await call('POST', `/campaigns/${id}:duplicate`);
    expect(copy.audience.take).to.deep.equal({ percent: 30 });
    await call('POST', `/campaigns/${copy.id}:send`);
    expect((await frozen(copy.id)).sent).not.to.deep.equal(first.sent);

    await backend.db('broadcast_task').where({ campaign_id: id }).update({ status: 'rejected' });
    await backend.db('campaign').where({ campaign_id: id }).update({ status: 'failed' });
    await call('POST', `/campaigns/${id}:retry-failed`);
    expect((await frozen(id, 2)).sent).to.deep.equal(first.sent);
  });

  for (const atMost of [1500, CONTACTS + 1])
    it(`takes ${atMost} of a large audience, page by page`, async () => {
      const everyone = ids(CONTACTS);
      const id = await draft(everyone, { atMost });
      const sent = await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: CONTACTS });
      expect(sent.audienceCount).to.equal(Math.min(atMost, CONTACTS));
      const { dispatch } = await frozen(id);
      const key = { tenantId: 'a', dispatchId: dispatch.dispatchId };
      expect(await freezeNextPage(backend.db, key, new Date())).to.equal(false);
      expect(await freezeNextPage(backend.db, key, new Date())).to.equal(true);
      const found = await frozen(id);
      expect(found.sent).to.deep.equal(await leastOf(id, everyone, atMost));
      expect(await call('GET', `/campaigns/${id}`)).to.include({ audienceCount: Math.min(atMost, CONTACTS) });
    });

  it('is of a saved filter, which a campaign may overrule, and of no uploaded list', async () => {
    const { tagId } = await call('POST', '/tags', { name: 'Some', serviceNumberId: 'sn-1', kind: 'permanent' });
    await call('POST', `/tags/${tagId}/assignments`, { contactIds: ids(20) });
    const body = { serviceNumberId: 'sn-1', name: 'Some of them', type: 'segment', segment: { tag: tagId } };
    const saved = await call('POST', '/audiences', { ...body, take: { atMost: 5 } });
    expect([saved.take, saved.memberCount]).to.deep.equal([{ atMost: 5 }, 20]);
    const audience = { type: 'contacts' as const, audienceId: saved.audienceId };
    const sentBy = async (more: object) => {
      const id = await backend.draft({ audience: { ...audience, ...more } });
      await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: 20 });
      // A page of a segment is of everybody who is known.
      const { dispatchId } = (await frozen(id)).dispatch;
      while (!(await freezeNextPage(backend.db, { tenantId: 'a', dispatchId }, new Date())));
      return (await frozen(id)).sent.length;
    };
    expect(await sentBy({})).to.equal(5);
    expect(await sentBy({ take: { atMost: 7 } })).to.equal(7);
    const renamed = await call('PATCH', `/audiences/${saved.audienceId}`, { name: 'Five' });
    expect(renamed.take).to.deep.equal({ atMost: 5 });
    const whole = await call('PATCH', `/audiences/${saved.audienceId}`, { take: null });
    expect([whole.take, whole.etag === renamed.etag]).to.deep.equal([null, false]);
    expect(await sentBy({})).to.equal(20);

    const list = { serviceNumberId: 'sn-1', name: 'List', type: 'contacts', contactIds: ids(3), take: { percent: 50 } };
    const refused = await request('POST', '/audiences', list);
    expect([refused.status, refused.body.errors[0].path, refused.body.errors[0].code]).to.deep.equal([
      422,
      '/take',
      'of_filters_only',
    ]);
  });

  it('counts all whom the audience reaches towards the limit of one person', async () => {
    await backend.db('tenant').where({ tenant_id: 'a' }).update({ sends_need_approval: 50 });
    const id = await draft(ids(60), { atMost: 10 });
    const { status, body } = await request('POST', `/campaigns/${id}:send`, {});
    expect([status, body.status, body.approval.contacts]).to.deep.equal([202, 'draft', 60]);
    await backend.db('tenant').where({ tenant_id: 'a' }).update({ sends_need_approval: null });
  });

  it('says that nobody is left, and that another sample was drawn, and takes no other numbers', async () => {
    const id = await draft(ids(1), { percent: 1 });
    const empty = await request('POST', `/campaigns/${id}:send`, {});
    if (empty.status !== 202) expect([empty.status, empty.body.code]).to.deep.equal([409, 'audience_empty']);
    const other = await draft(ids(40), { atMost: 5 });
    await call('POST', `/campaigns/${other}:dry-run`);
    const { sent: taken } = { sent: await leastOf(other, ids(40), 5) };
    await backend.db('contact_profile').where({ contact_id: taken[0] }).update({ unsubscribed: true });
    await call('POST', `/campaigns/${other}:send`, {});
    expect((await call('GET', `/campaigns/${other}/audience-drift`)).reasons).to.have.deep.members([
      { change: 'added', reason: 'sample_changed', contacts: 1 },
      { change: 'removed', reason: 'unsubscribed', contacts: 1 },
    ]);
    for (const take of [
      { percent: 0 },
      { percent: 100 },
      { percent: 1.5 },
      { atMost: 0 },
      { percent: 5, atMost: 5 },
      {},
    ]) {
      const body = { serviceNumberId: 'sn-1', audience: listed(ids(1), take as Take) };
      expect((await request('POST', '/audiences:preview', body)).status, JSON.stringify(take)).to.equal(400);
    }
  });
});
