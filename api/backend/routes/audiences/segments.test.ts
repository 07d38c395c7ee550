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
      excluded: { expiredTags: 0, unsubscribed: 1, unreachable: 0, controlGroup: 0 },
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

  const list = async (name: string, ...numbers: number[]) => {
    const body = { serviceNumberId: 'sn-1', name, type: 'contacts', contactIds: ids(...numbers) };
    return (await post('/audiences', body)).audienceId as string;
  };
  const hits = async (segment: unknown) => (await preview(segment)).body.hitCount as number;

  it('counts how often contacts did it, 0 times included where nothing is the least', async () => {
    const first = await delivered(1, 2, 3);
    const second = await delivered(2, 3);
    const of = { campaignIds: [first, second] };
    await click(first, 1);
    await click(second, 2);
    await click(second, 2, { notice_id: 'other', repeats: 5 });
    for (const [session, number] of [
      ['s1', 3],
      ['s2', 3],
      ['s3', 2],
    ] as const)
      await backend.db('conversation').insert({
        tenant_id: 'a',
        session_id: session,
        campaign_id: first,
        contact_id: contactId(number),
        opened_at: new Date(),
      });
    const counts = (times: object) =>
      Promise.all([
        hits({ reached: { ...of, times } }),
        hits({ clicked: { campaigns: of, times } }),
        hits({ conversed: { ...of, times } }),
      ]);
    expect(await counts({ gte: 1 })).to.deep.equal([3, 2, 2]);
    expect(await counts({ gte: 2 })).to.deep.equal([2, 1, 1]);
    expect(await counts({ gte: 3 })).to.deep.equal([0, 0, 0]);
    expect(await counts({ lte: 0 })).to.deep.equal([5, 6, 6]);
    expect(await counts({ lte: 1 })).to.deep.equal([6, 7, 7]);
    expect(await counts({ gte: 1, lte: 1 })).to.deep.equal([1, 1, 1]);
    expect(await counts({ gte: 0 })).to.deep.equal([8, 8, 8]);
  });

  it('asks who is in a list, when contacts entered, and compares without case', async () => {
    const audienceId = await list('Members', 1, 2, 99);
    expect((await preview({ inList: { audienceId } })).body).to.deep.include({ hitCount: 2, reachableCount: 2 });
    expect(await hits({ not: { inList: { audienceId } } })).to.equal(6);
    const profile = (number: number) => backend.db('contact_profile').where({ contact_id: contactId(number) });
    await backend.db('contact_profile').update({ entered_at: null });
    await profile(1).update({ entered_at: '2026-03-01T23:59:59.999Z', language: 'Zürich' });
    await profile(2).update({ entered_at: '2026-03-02T00:00:00Z', language: 'ZÜRICH' });
    await profile(3).update({ entered_at: new Date(Date.now() - 3_600_000), language: 'zurich' });
    const entered = (entry: object) => hits({ entered: entry });
    expect([
      await entered({ before: '2026-03-01' }),
      await entered({ before: '2026-03-02' }),
      await entered({ after: '2026-03-01' }),
      await entered({ after: '2026-03-02' }),
      await entered({ lastDays: 1 }),
    ]).to.deep.equal([0, 1, 2, 1, 1]);
    const language = (test: object) => hits({ profile: { field: 'language', test } });
    expect([
      await language({ op: 'eq', value: 'zürich' }),
      await language({ op: 'eq', value: 'zürich', fold: true }),
      await language({ op: 'in', values: ['x', 'ZüRICH'], fold: true }),
      await language({ op: 'ne', value: 'zürich', fold: true }),
    ]).to.deep.equal([0, 2, 2, 6]);
  });

  it('refuses lists, numbers of times and dates that cannot be asked for, each at its place', async () => {
    const filling = await list('Filling', 1);
    await backend.db('audience').where({ audience_id: filling }).update({ collecting: '{}' });
    const body = { serviceNumberId: 'sn-2', name: 'Other', type: 'contacts', contactIds: [] };
    const other = (await post('/audiences', body)).audienceId;
    const saved = { serviceNumberId: 'sn-1', name: 'Filter', type: 'segment', segment: { reached: { lastDays: 1 } } };
    const filter = (await post('/audiences', saved)).audienceId;
    const of = { lastDays: 3 };
    const refused = await preview({
      any: [
        { inList: { audienceId: 'none' } },
        { inList: { audienceId: filling } },
        { not: { inList: { audienceId: other } } },
        { inList: { audienceId: filter } },
        { reached: { ...of, times: {} } },
        { clicked: { campaigns: of, times: { gte: 3, lte: 2 } } },
        { conversed: { ...of, times: { gte: 2, lte: 2 } } },
      ],
    });
    expect([refused.status, refused.body.code, errorsOf(refused)]).to.deep.equal([
      422,
      'invalid_content',
      [
        ['/audience/segment/any/0/inList/audienceId', 'unknown_audience'],
        ['/audience/segment/any/1/inList/audienceId', 'incomplete_list'],
        ['/audience/segment/any/2/not/inList/audienceId', 'unknown_audience'],
        ['/audience/segment/any/3/inList/audienceId', 'no_list'],
        ['/audience/segment/any/4/reached/times', 'no_bound'],
        ['/audience/segment/any/5/clicked/times/lte', 'reversed_bounds'],
      ],
    ]);
    const language = (test: object) => ({ profile: { field: 'language', test } });
    for (const segment of [
      { reached: { ...of, times: { gte: -1 } } },
      { reached: { ...of, times: { lte: 1001 } } },
      { clicked: { campaigns: { ...of, times: { gte: 1 } } } },
      { entered: {} },
      { entered: { lastDays: 0 } },
      { entered: { lastDays: 367 } },
      { entered: { before: '2026-02-30' } },
      { entered: { before: '2026-02-01', after: '2026-01-01' } },
      language({ op: 'exists', fold: true }),
      language({ op: 'before', date: '2026-01-01', fold: true }),
    ])
      expect((await preview(segment)).status, JSON.stringify(segment)).to.equal(400);
  });

  it('keeps a list that a saved segment, a repeat or a send that is to start asks for, and no list of a draft', async () => {
    const remove = async (id: string) => {
      const { status, body } = await backend.call('DELETE', `/audiences/${id}`);
      return [status, body?.code, body?.errors?.map(({ path }: FieldError) => path)];
    };
    const [a, b, c] = [await list('A', 1), await list('B', 2), await list('C', 3)];
    const asking = (audienceId: string): Segment => ({ any: [{ not: { inList: { audienceId } } }] });
    const saved = { serviceNumberId: 'sn-1', name: 'Not in A', type: 'segment', segment: asking(a) };
    const filter = (await post('/audiences', saved)).audienceId;
    expect(await remove(a)).to.deep.equal([409, 'in_use', [`audience/${filter}`]]);

    const at = new Date(Date.now() + 3_600_000).toISOString();
    const schedule = { type: 'scheduled' as const, at, audience: 'at_start' as const };
    const later = await backend.draft({ audience: { type: 'segment', segment: asking(b) }, schedule });
    const named = await backend.draft({ audience: { type: 'contacts', audienceId: filter }, schedule });
    await post(`/campaigns/${later}:send`, {});
    await post(`/campaigns/${named}:send`, {});
    expect(await remove(b)).to.deep.equal([409, 'in_use', [`campaign/${later}`]]);
    await call('PATCH', `/audiences/${filter}`, { segment: asking(c) });
    expect(await remove(a), 'of a send that was given the filter as it was').to.deep.equal([
      409,
      'in_use',
      [`campaign/${named}`],
    ]);
    await post(`/campaigns/${named}:cancel`);
    await post(`/campaigns/${later}:cancel`);
    expect(await remove(a)).to.deep.equal([204, undefined, undefined]);
    expect(await remove(b)).to.deep.equal([204, undefined, undefined]);

    const draft = await backend.draft({ audience: { type: 'segment', segment: asking(c) } });
    await call('DELETE', `/audiences/${filter}`);
    expect(await remove(c)).to.deep.equal([204, undefined, undefined]);
    const send = await backend.call('POST', `/campaigns/${draft}:send`, { body: {} });
    expect([send.status, errorsOf(send)]).to.deep.equal([
      422,
      [['/audience/segment/any/0/not/inList/audienceId', 'unknown_audience']],
    ]);
  });
});
