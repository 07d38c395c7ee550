import { expect } from 'chai';
import type { FieldError } from '#domain/api/problem.ts';
import type { Segment } from '#domain/api/segments.ts';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('audiences by segment', () => {
  const backend = useTwoTenants({ contacts: 8 });

  const ids = (...numbers: number[]) => numbers.map(contactId);
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await backend.call(method, path, { body });
    expect(response.status, JSON.stringify(response.body)).to.be.below(300);
    return response.body;
  };
  const post = (path: string, body?: unknown) => call('POST', path, body);
  const preview = (segment: unknown) =>
    backend.call('POST', '/audiences:preview', {
      body: { serviceNumberId: 'sn-1', audience: { type: 'segment', segment } },
    });
  const errorsOf = ({ body }: { body: { errors: FieldError[] } }) => body.errors.map(({ path, code }) => [path, code]);

  /** A campaign that the platform delivered to these contacts. */
  async function delivered(...numbers: number[]): Promise<string> {
    const id = await backend.draft({ audience: { type: 'contacts', contactIds: ids(...numbers) } });
    await post(`/campaigns/${id}:send`, {});
    await backend
      .db('broadcast_task')
      .where({ campaign_id: id })
      .update({ status: 'completed', finished_at: new Date(), delivered: numbers.length });
    return id;
  }
  let clicks = 0;
  const click = (campaignId: string, number: number, more: object = {}) =>
    backend.db('click_attribution').insert({
      tenant_id: 'a',
      task_id: 'task',
      contact_id: contactId(number),
      notice_id: 'n',
      message_index: 0,
      action_index: 0,
      campaign_id: campaignId,
      event_id: `e${(clicks += 1)}`,
      clicked_at: new Date(),
      ...more,
    });
  const recipients = async (campaignId: string) =>
    (
      await backend
        .db('dispatch_recipient')
        .whereIn('dispatch_id', backend.db('dispatch').select('dispatch_id').where({ campaign_id: campaignId }))
        .orderBy('contact_id')
    ).map(({ contactId: id }) => id);

  it('sends to those whom a campaign reached and who did not click, and freezes them', async () => {
    const first = await delivered(1, 2, 3, 4);
    await click(first, 2);
    await backend
      .db('contact_profile')
      .where({ tenant_id: 'a', contact_id: contactId(4) })
      .update({ unsubscribed: true });
    const segment: Segment = {
      all: [{ reached: { campaignIds: [first] } }, { not: { clicked: { campaigns: { campaignIds: [first] } } } }],
    };
    expect((await preview(segment)).body).to.deep.equal({
      hitCount: 3,
      reachableCount: 2,
      excluded: { expiredTags: 0, unsubscribed: 1, unreachable: 0 },
      parts: [
        { path: '', hitCount: 3 },
        { path: '/all/0', hitCount: 4 },
        { path: '/all/1', hitCount: 7 },
        { path: '/all/1/not', hitCount: 1 },
      ],
    });
    const id = await backend.draft({ audience: { type: 'segment', segment } });
    expect((await call('GET', `/campaigns/${id}`)).audience).to.deep.equal({ type: 'segment', segment });
    const wrong = await backend.call('POST', `/campaigns/${id}:send`, { body: { expectedReachableCount: 3 } });
    expect([wrong.status, wrong.body.code]).to.deep.equal([409, 'audience_changed']);
    await post(`/campaigns/${id}:send`, { expectedReachableCount: 2 });
    await click(first, 3);
    expect(await recipients(id)).to.deep.equal(ids(1, 3));
    const listed = (await call('GET', '/campaigns')).items.find((one: { id: string }) => one.id === id);
    expect(listed.audience).to.deep.equal({ type: 'segment', segment });
  });

  it('says after a dry run whom the segment matches no longer', async () => {
    const first = await delivered(5, 6);
    const segment: Segment = {
      all: [{ reached: { campaignIds: [first] } }, { not: { clicked: { campaigns: { lastDays: 1 } } } }],
    };
    const id = await backend.draft({ audience: { type: 'segment', segment } });
    expect((await post(`/campaigns/${id}:dry-run`)).audienceCount).to.equal(2);
    await click(first, 6);
    await post(`/campaigns/${id}:send`, {});
    const { removed } = await call('GET', `/campaigns/${id}/audience-drift`);
    expect(removed).to.deep.equal([{ contactId: contactId(6), reason: 'match_changed' }]);
  });

  it('saves a segment, which a campaign may name, lists its contacts and changes it', async () => {
    const tag = { name: 'Regulars', serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = await post('/tags', tag);
    await post(`/tags/${tagId}/assignments`, { contactIds: ids(1, 2) });
    const body = { serviceNumberId: 'sn-1', name: 'Not regulars', type: 'segment', segment: { not: { tag: tagId } } };
    const { audienceId, ...saved } = await post('/audiences', body);
    expect(saved).to.deep.include({ ...body, appTagIds: [], tagOperator: null, memberCount: 5 });
    const contacts = await call('GET', `/audiences/${audienceId}/contacts?limit=2`);
    const rest = await call('GET', `/audiences/${audienceId}/contacts?cursor=${contacts.nextCursor}`);
    expect([...contacts.items, ...rest.items].map((one) => [one.contactId, one.reach])).to.deep.equal(
      [3, 4, 5, 6, 7, 8].map((n) => [contactId(n), n === 4 ? 'unsubscribed' : 'reachable']),
    );
    await call('PATCH', `/audiences/${audienceId}`, { segment: { tag: tagId } });
    const id = await backend.draft({ audience: { type: 'contacts', audienceId } });
    await post(`/campaigns/${id}:send`, { expectedReachableCount: 2 });
    expect(await recipients(id)).to.deep.equal(ids(1, 2));
    const refused = await backend.call('PATCH', `/audiences/${audienceId}`, { body: { appTagIds: [tagId] } });
    expect([refused.status, errorsOf(refused)]).to.deep.equal([422, [['/appTagIds', 'of_tags_only']]]);
    const without = await backend.call('POST', '/audiences', { body: { ...body, segment: undefined } });
    expect([without.status, errorsOf(without)]).to.deep.equal([422, [['/segment', 'needed_for_segments']]]);
  });

  it('names tags and campaigns that the service number does not have, and rejects what is no segment', async () => {
    const elsewhere = await backend.draft({ serviceNumberId: 'sn-2', audience: { type: 'contacts', contactIds: [] } });
    const unknown = await preview({
      any: [
        { tag: 'none' },
        { not: { reached: { campaignIds: [elsewhere] } } },
        { clicked: { campaigns: { campaignIds: ['gone'] } } },
      ],
    });
    expect([unknown.status, errorsOf(unknown)]).to.deep.equal([
      422,
      [
        ['/audience/segment/any/0/tag', 'unknown_or_archived'],
        ['/audience/segment/any/1/not/reached/campaignIds/0', 'unknown_campaign'],
        ['/audience/segment/any/2/clicked/campaigns/campaignIds/0', 'unknown_campaign'],
      ],
    ]);
    const nested = (levels: number): unknown => (levels === 0 ? { tag: 'none' } : { not: nested(levels - 1) });
    const invalid = [
      {},
      { all: [] },
      { all: Array.from({ length: 40 }, () => ({ tag: 'none' })) },
      nested(5),
      { tag: 'none', reached: { lastDays: 3 } },
      { reached: { lastDays: 0 } },
      { profile: { field: 'attribute', test: { op: 'exists' } } },
      { profile: { field: 'language', name: 'x', test: { op: 'exists' } } },
      { profile: { field: 'attribute', name: 'born', test: { op: 'before', date: '2026-02-30' } } },
      { profile: { field: 'attribute', name: 'born', test: { op: 'days_ago', from: 3, to: 2 } } },
    ];
    for (const segment of invalid) expect((await preview(segment)).status, JSON.stringify(segment)).to.equal(400);
  });
});
