import { expect } from 'chai';
import type { Audience } from '#domain/api/audiences.ts';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('audience drift', () => {
  const backend = useTwoTenants({ contacts: 2600 });
  afterEach(() => backend.setNow(null));

  const ids = (...numbers: number[]) => numbers.map(contactId);
  const post = async (path: string, body?: unknown) => {
    const response = await backend.call('POST', path, { body });
    expect(response.status, JSON.stringify(response.body)).to.be.below(300);
    return response.body;
  };
  const draft = (audience: Audience): Promise<string> => backend.draft({ audience });
  const drift = async (id: string, as = backend.operator) =>
    (await backend.call('GET', `/campaigns/${id}/audience-drift`, { token: as })).body;
  const profile = (numbers: number[], change: object) =>
    backend
      .db('contact_profile')
      .whereIn('contact_id', ids(...numbers))
      .update(change);
  let tags = 0;
  const tag = async (contacts: number[], more: object = {}): Promise<string> => {
    const body = { name: `tag ${(tags += 1)}`, serviceNumberId: 'sn-1', kind: 'permanent', ...more };
    const { tagId } = await post('/tags', body);
    await post(`/tags/${tagId}/assignments`, { contactIds: ids(...contacts) });
    return tagId;
  };
  const untag = (tagId: string, contacts: number[]) =>
    backend.call('DELETE', `/tags/${tagId}/assignments`, { body: { contactIds: ids(...contacts) } });
  const entries = (found: { contactId: string; reason: string }[]) =>
    found.map(({ contactId: id, reason }) => [Number(id.slice(2)), reason]);

  it('S0-AR1: sending resolves again: one reason per contact for changes of profiles and tags since the dry run', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const wanted = await tag([1, 2, 3, 4, 5, 6, 7, 8]);
    const expiring = await tag([9], { kind: 'temporary', expiresAt: soon });
    const excluded = await tag([5, 6]);
    const excludedForAWhile = await tag([7], { kind: 'temporary', expiresAt: soon });
    await profile([2], { unsubscribed: true });
    await profile([3], { follow_state: 'unfollowed' });
    const id = await draft({
      type: 'app_tags',
      appTagIds: [wanted, expiring],
      tagOperator: 'OR',
      excludeTagIds: [excluded, excludedForAWhile],
    });
    expect((await post(`/campaigns/${id}:dry-run`)).audienceCount).to.equal(4);

    await profile([1], { unsubscribed: true });
    await profile([2], { unsubscribed: false });
    await profile([3], { follow_state: 'following' });
    await profile([8], { follow_state: 'unfollowed' });
    await untag(excluded, [5]);
    await untag(wanted, [4]);
    await post(`/tags/${wanted}/assignments`, { contactIds: ids(10, 11) });
    await post(`/tags/${excluded}/assignments`, { contactIds: ids(11) });
    backend.setNow(new Date(Date.now() + 120_000));
    await post(`/campaigns/${id}:send`);
    // Changes after the send do not affect the reasons.
    await untag(wanted, [10]);
    const found = await drift(id);
    expect(entries(found.added)).to.deep.equal([
      [2, 'resubscribed'],
      [3, 'reachable'],
      [5, 'tag_removed'],
      [7, 'tag_expired'],
      [10, 'tag_added'],
    ]);
    expect(entries(found.removed)).to.deep.equal([
      [1, 'unsubscribed'],
      [4, 'tag_removed'],
      [8, 'unreachable'],
      [9, 'tag_expired'],
    ]);
    expect([found.addedCount, found.removedCount, found.sent.audienceCount]).to.deep.equal([5, 4, 5]);
    await profile([1, 3, 8], { unsubscribed: false, follow_state: 'following' });
  });

  it('reports excluded tags that were assigned, and tags whose expiry was extended', async () => {
    const wanted = await tag([21, 22]);
    const excluded = await tag([24]);
    const soon = new Date(Date.now() + 60_000).toISOString();
    const revived = await tag([23], { kind: 'temporary', expiresAt: soon });
    const audience = { appTagIds: [wanted, revived], tagOperator: 'OR' as const, excludeTagIds: [excluded] };
    const id = await draft({ type: 'app_tags', ...audience });
    backend.setNow(new Date(Date.now() + 120_000));
    expect((await post(`/campaigns/${id}:dry-run`)).audienceCount).to.equal(2);
    backend.setNow(new Date(Date.now() + 130_000));
    await post(`/tags/${excluded}/assignments`, { contactIds: ids(22) });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await backend.call('PATCH', `/tags/${revived}`, { body: { expiresAt: later } });
    await post(`/campaigns/${id}:send`);
    const found = await drift(id);
    expect(entries(found.added)).to.deep.equal([[23, 'tag_revived']]);
    expect(entries(found.removed)).to.deep.equal([[22, 'tag_added']]);
  });

  it('reports changed lists and a different audience', async () => {
    const inline = await draft({ type: 'contacts', contactIds: ids(31, 32) });
    await post(`/campaigns/${inline}:dry-run`);
    const change = { audience: { type: 'contacts', contactIds: ids(32, 33) } };
    await backend.call('PATCH', `/campaigns/${inline}`, { body: change, headers: { 'If-Match': '*' } });
    await post(`/campaigns/${inline}:send`);
    const changed = await drift(inline);
    expect([entries(changed.added), entries(changed.removed)]).to.deep.equal([
      [[33, 'list_changed']],
      [[31, 'list_changed']],
    ]);

    const body = { name: 'l', serviceNumberId: 'sn-1', type: 'contacts', contactIds: ids(41, 42) };
    const { audienceId } = await post('/audiences', body);
    const saved = await draft({ type: 'contacts', audienceId });
    await post(`/campaigns/${saved}:dry-run`);
    const csv = { raw: ids(42, 43).join('\n'), contentType: 'text/csv' };
    await backend.call('PUT', `/audiences/${audienceId}/contacts`, csv);
    await post(`/campaigns/${saved}:send`);
    const listed = await drift(saved);
    expect([entries(listed.added), entries(listed.removed)]).to.deep.equal([
      [[43, 'list_changed']],
      [[41, 'list_changed']],
    ]);

    const other = await draft({ type: 'contacts', contactIds: ids(51) });
    await post(`/campaigns/${other}:dry-run`);
    const tags52 = { audience: { type: 'app_tags', appTagIds: [await tag([52])], tagOperator: 'AND' } };
    await backend.call('PATCH', `/campaigns/${other}`, { body: tags52, headers: { 'If-Match': '*' } });
    await post(`/campaigns/${other}:send`);
    const another = await drift(other);
    expect([entries(another.added), entries(another.removed)]).to.deep.equal([
      [[52, 'audience_changed']],
      [[51, 'audience_changed']],
    ]);
  });

  it('lists at most 1,000 contacts per side, and counts all of them', async () => {
    const many = Array.from({ length: 1300 }, (_, n) => n + 101);
    const id = await draft({ type: 'contacts', contactIds: ids(...many, 2000) });
    await post(`/campaigns/${id}:dry-run`);
    await profile(many, { unsubscribed: true });
    await post(`/campaigns/${id}:send`);
    const found = await drift(id);
    expect([found.removed.length, found.removedCount, found.added]).to.deep.equal([1000, 1300, []]);
    expect(found.reasons).to.deep.equal([{ change: 'removed', reason: 'unsubscribed', contacts: 1300 }]);
    expect(found.removed[0].contactId).to.equal(contactId(101));
  });

  it('is empty if nobody changed, nothing was kept or nothing was sent', async () => {
    const none = { added: [], removed: [], addedCount: 0, removedCount: 0, reasons: [] };
    const same = await draft({ type: 'contacts', contactIds: ids(61, 62) });
    expect(await drift(same)).to.deep.equal({ ...none, dryRun: null, sent: null });
    await post(`/campaigns/${same}:dry-run`);
    expect(await drift(same))
      .to.deep.include({ ...none, sent: null })
      .and.have.nested.property('dryRun.audienceCount', 2);
    await post(`/campaigns/${same}:send`);
    expect(await drift(same))
      .to.deep.include(none)
      .and.have.nested.property('sent.audienceCount', 2);
    const unseen = await draft({ type: 'contacts', contactIds: ids(61) });
    await post(`/campaigns/${unseen}:send`);
    expect(await drift(unseen)).to.deep.include({ ...none, dryRun: null });
    expect((await drift(same, backend.foreign)).status).to.equal(404);
    const viewer = await backend.token('a', 'viewer', 'v');
    expect(await drift(same, viewer)).to.deep.include(none);
  });
});
