import { expect } from 'chai';
import type { AudiencePreview } from '#domain/api/audiences.ts';
import { CONTACTS_PER_PAGE } from '#db/outreach/sends/freezing.ts';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { campaignBody, contactId } from '#test/support/services/backend.ts';

const CONTACTS = CONTACTS_PER_PAGE + 500;
const DAY = 86_400_000;

describe('the control group of a tenant', () => {
  const backend = useTwoTenants({ contacts: CONTACTS });
  const start = new Date('2026-11-26T12:00:00Z');
  const at = (ms: number) => new Date(start.getTime() + ms);
  let tokens = { operator: '', admin: '', foreign: '' };
  async function travel(now: Date): Promise<void> {
    backend.setNow(now);
    const [operator, admin] = [await backend.token('a'), await backend.token('a', 'tenant_admin', 'ada')];
    tokens = { operator, admin, foreign: await backend.token('b') };
  }
  beforeEach(() => travel(start));
  after(() => backend.setNow(null));

  const call = (method: string, path: string, body?: unknown, token = tokens.operator) =>
    backend.call(method, path, { token, headers: { 'If-Match': '*' }, ...(body === undefined ? {} : { body }) });
  const post = async (path: string, body: unknown = {}) => {
    const response = await call('POST', path, body);
    expect(response.status, JSON.stringify(response.body)).to.be.lessThan(300);
    return response.body;
  };
  const set = (controlGroup: unknown) => call('PATCH', '/tenant-settings', { controlGroup }, tokens.admin);
  const isIn = async (n: number) => (await call('GET', `/contacts/sn-1/${contactId(n)}`)).body.inControlGroup;
  /** Those of the first `count` contacts. */
  const members = async (count: number) => {
    const found: string[] = [];
    for (let n = 1; n <= count; n += 1) if (await isIn(n)) found.push(contactId(n));
    return found;
  };
  const ids = (count: number) => Array.from({ length: count }, (_, n) => contactId(n + 1));
  const preview = (audience: unknown): Promise<AudiencePreview> =>
    post('/audiences:preview', { serviceNumberId: 'sn-1', audience });
  const draft = (audience: unknown) => post('/campaigns', { ...campaignBody(), audience });
  const recipients = (campaignId: string, number = 1): Promise<string[]> =>
    backend
      .db('dispatch_recipient as r')
      .join('dispatch as d', 'd.dispatch_id', 'r.dispatch_id')
      .where({ 'd.campaign_id': campaignId, 'd.number': number })
      .orderBy('r.contact_id')
      .pluck('r.contact_id');

  /** As the workflow of a large send does; a small one is frozen already. */
  async function freeze(campaignId: string): Promise<void> {
    const { dispatchId } = await backend.db('dispatch').where({ campaign_id: campaignId }).first();
    while (!(await freezeNextPage(backend.db, { tenantId: 'a', dispatchId }, start)));
  }

  it('is nobody until an administrator sets its share, of at most 20 in a hundred', async () => {
    expect((await call('GET', '/tenant-settings')).body.controlGroup).to.equal(null);
    expect(await members(20)).to.deep.equal([]);
    expect((await call('PATCH', '/tenant-settings', { controlGroup: { percent: 5 } })).status).to.equal(403);
    for (const wrong of [{ percent: 21 }, { percent: -1 }, { percent: 1.5 }, {}, 5])
      expect((await set(wrong)).status, JSON.stringify(wrong)).to.equal(400);
    const { body } = await set({ percent: 5 });
    expect(body.controlGroup).to.deep.equal({ percent: 5, since: start.toISOString() });
    expect((await call('PATCH', '/tenant-settings', body, tokens.admin)).body.etag, 'as it was').to.equal(body.etag);
    expect((await call('GET', '/tenant-settings', undefined, tokens.foreign)).body.controlGroup).to.equal(null);
  });

  it('keeps its contacts when its share grows, and since then when it shrinks', async () => {
    await set({ percent: 10 });
    const ten = await members(200);
    await travel(at(DAY));
    const grown = (await set({ percent: 20 })).body.controlGroup;
    const twenty = await members(200);
    expect(grown.since).to.equal(at(DAY).toISOString());
    expect(twenty).to.include.members(ten);
    expect([ten.length, twenty.length].map((count) => count > 5 && count < 70)).to.deep.equal([true, true]);
    expect(twenty.length).to.be.greaterThan(ten.length);
    await travel(at(2 * DAY));
    expect((await set({ percent: 10 })).body.controlGroup).to.deep.equal({ percent: 10, since: grown.since });
    expect(await members(200)).to.deep.equal(ten);
    expect((await set({ percent: 0 })).body.controlGroup).to.deep.equal({ percent: 0, since: null });
    expect(await members(200)).to.deep.equal([]);
    expect((await set(null)).body.controlGroup).to.equal(null);
    await set({ percent: 10 });
    expect(await members(200), 'made again, it has the same contacts').to.deep.equal(ten);
  });

  it('is left out of audiences of each kind, which say so, and gets no send', async () => {
    await set({ percent: 20 });
    const everyone = ids(150);
    const inGroup = await members(150);
    const [first = ''] = inGroup;
    await backend
      .db('contact_profile')
      .whereIn('contact_id', [first, contactId(150)])
      .update({ unsubscribed: true });
    const group = new Set(inGroup.slice(1));
    const unsubscribed = new Set([first, contactId(150)]);
    const { tagId } = await post('/tags', { name: 'Regulars', serviceNumberId: 'sn-1', kind: 'permanent' });
    await post(`/tags/${tagId}/assignments`, { contactIds: everyone });
    const saved = await post('/audiences', {
      serviceNumberId: 'sn-1',
      name: 'L',
      type: 'contacts',
      contactIds: everyone,
    });
    const audiences = {
      ids: { type: 'contacts', contactIds: everyone },
      list: { type: 'contacts', audienceId: saved.audienceId },
      tags: { type: 'app_tags', appTagIds: [tagId], tagOperator: 'AND', excludeTagIds: [] },
      segment: { type: 'segment', segment: { tag: tagId } },
    };
    const expected = everyone.filter((one) => !unsubscribed.has(one) && !group.has(one));
    const wanted = {
      hitCount: 150,
      reachableCount: expected.length,
      excluded: {
        expiredTags: 0,
        unsubscribed: unsubscribed.size,
        unreachable: 0,
        controlGroup: 150 - unsubscribed.size - expected.length,
      },
    };
    for (const [kind, audience] of Object.entries(audiences)) {
      const { parts: _parts, ...counted } = await preview(audience);
      expect(counted, kind).to.deep.equal(wanted);
      const { id } = await draft(audience);
      const run = await post(`/campaigns/${id}:dry-run`);
      expect(run.audienceCount, kind).to.equal(expected.length);
      const warning = run.warnings.find(({ code }: { code: string }) => code === 'contacts_in_control_group');
      expect(warning.contacts, kind).to.equal(wanted.excluded.controlGroup);
      const sent = await post(`/campaigns/${id}:send`, { expectedReachableCount: expected.length });
      expect(sent.audienceCount, kind).to.equal(expected.length);
      await freeze(id);
      expect(await recipients(id), kind).to.deep.equal(expected);
      const [dispatch] = (await call('GET', `/campaigns/${id}/dispatches`)).body.items;
      expect(dispatch.excluded, kind).to.deep.equal(wanted.excluded);
    }
    const listed = await call('GET', `/audiences/${saved.audienceId}/contacts?reach=controlGroup&limit=200`);
    expect(listed.body.items.map((one: { contactId: string }) => one.contactId)).to.deep.equal(
      everyone.filter((one) => group.has(one) && !unsubscribed.has(one)),
    );
  });

  it('stays in what is frozen already, retries included', async () => {
    await set(null);
    const { id } = await draft({ type: 'contacts', contactIds: ids(60) });
    await post(`/campaigns/${id}:dry-run`);
    await post(`/campaigns/${id}:send`);
    await backend.db('broadcast_task').where({ campaign_id: id }).update({ status: 'rejected' });
    await backend.db('campaign').where({ campaign_id: id }).update({ status: 'failed' });
    await set({ percent: 20 });
    await post(`/campaigns/${id}:retry-failed`);
    expect(await recipients(id, 2)).to.deep.equal(await recipients(id, 1));
    const later = await draft({ type: 'contacts', contactIds: ids(60) });
    await set(null);
    await post(`/campaigns/${later.id}:dry-run`);
    await set({ percent: 20 });
    await post(`/campaigns/${later.id}:send`);
    const drift = (await call('GET', `/campaigns/${later.id}/audience-drift`)).body;
    const reasons = new Set(drift.removed.map(({ reason }: { reason: string }) => reason));
    expect([drift.addedCount, [...reasons]]).to.deep.equal([0, ['control_group_changed']]);
  });

  it('is left out of an audience of several pages', async () => {
    await set({ percent: 20 });
    const { tagId } = await post('/tags', { name: 'Nobody', serviceNumberId: 'sn-1', kind: 'permanent' });
    for (const audience of [
      { type: 'contacts', contactIds: ids(CONTACTS) },
      { type: 'segment', segment: { not: { tag: tagId } } },
    ]) {
      const { reachableCount, excluded } = await preview(audience);
      const { id } = await draft(audience);
      await post(`/campaigns/${id}:send`, { expectedReachableCount: reachableCount });
      await freeze(id);
      const dispatch = await backend.db('dispatch').where({ campaign_id: id }).first();
      expect(dispatch.excluded).to.deep.equal(excluded);
      expect(excluded.controlGroup).to.be.within(CONTACTS * 0.18, CONTACTS * 0.22);
      const sent = await recipients(id);
      expect(sent).to.have.length(reachableCount);
      const first = new Set(await members(50));
      expect(sent.filter((one) => first.has(one))).to.deep.equal([]);
    }
  });

  describe('compared with all others', () => {
    const lift = (from: Date, to: Date, token = tokens.operator) =>
      call(
        'GET',
        `/control-group/lift?${new URLSearchParams({ from: from.toISOString(), to: to.toISOString() })}`,
        undefined,
        token,
      );

    it('counts whoever was known before, what they did and what they paid', async () => {
      await set({ percent: 20 });
      const inGroup = new Set(await members(40));
      const [member = ''] = inGroup;
      const others = ids(40).filter((one) => !inGroup.has(one));
      const [other = '', newcomer = ''] = others;
      await travel(at(3 * DAY));
      await backend
        .db('contact_profile')
        .where({ contact_id: newcomer })
        .update({ entered_at: at(1.5 * DAY) });
      const { tagId } = await post('/tags', { name: 'Bought', serviceNumberId: 'sn-1', kind: 'permanent' });
      await post(`/tags/${tagId}/assignments`, { contactIds: [member, other, newcomer] });
      await backend
        .db('tag_assignment')
        .where({ tag_id: tagId })
        .update({ assigned_at: at(2 * DAY) });
      const conversation = (sessionId: string, contact: string, openedAt: Date) => ({
        tenant_id: 'a',
        session_id: sessionId,
        service_number_id: 'sn-1',
        contact_id: contact,
        opened_at: openedAt,
      });
      await backend
        .db('conversation')
        .insert([
          conversation('s-1', member, at(2 * DAY)),
          conversation('s-2', member, at(2 * DAY + 1000)),
          conversation('s-3', other, at(2 * DAY)),
          conversation('s-4', other, at(0.5 * DAY)),
        ]);
      expect((await lift(at(DAY), at(3 * DAY))).body.revenue).to.equal(null);
      const entry = (movement: string, contact: string, minor: number) => ({
        tenant_id: 'a',
        movement,
        service_number_id: 'sn-1',
        contact_id: contact,
        order_id: movement,
        kind: minor > 0 ? 'payment' : 'refund',
        amount_minor: minor,
        currency: 'TWD',
        at: at(2 * DAY),
      });
      await backend
        .db('contact_revenue_entry')
        .insert([
          entry('1', member, 10_050),
          entry('2', other, 20_000),
          entry('3', other, -5000),
          entry('4', newcomer, 900),
        ]);
      const { status, body } = await lift(at(DAY), at(3 * DAY));
      expect(status, JSON.stringify(body)).to.equal(200);
      const [conversed, tagged] = body.comparisons;
      const sizes = [conversed.all.contacts, conversed.control.contacts];
      expect(sizes[0] + sizes[1]).to.equal(CONTACTS - 1);
      const measured = ({ all, control }: typeof conversed) => [all.converted, control.converted];
      expect([measured(conversed), measured(tagged)]).to.deep.equal([
        [1, 1],
        [1, 1],
      ]);
      expect([tagged.measure.name, tagged.verdict, tagged.difference]).to.deep.equal(['Bought', 'too_few', null]);
      expect([body.percent, body.revenue]).to.deep.equal([20, [{ currency: 'TWD', all: 150, control: 100.5 }]]);
    });

    it('is refused for a time before it was as it is, and without one', async () => {
      await set({ percent: 20 });
      const early = await lift(at(-DAY), at(DAY));
      expect([early.status, early.body.errors[0].path, early.body.errors[0].code]).to.deep.equal([
        422,
        'query/from',
        'before_control_group',
      ]);
      const none = await lift(at(DAY), at(2 * DAY), tokens.foreign);
      expect([none.status, none.body.errors[0].code]).to.deep.equal([422, 'no_control_group']);
      expect((await lift(at(DAY), at(DAY))).status).to.equal(422);
      expect((await call('GET', '/control-group/lift')).status).to.equal(400);
    });
  });
});
