import { expect } from 'chai';
import type { AudienceExplanation } from '#domain/api/audiences.ts';
import type { FieldError } from '#domain/api/problem.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { contactId } from '#test/support/services/backend.ts';
import { eventually } from '#test/support/time/eventually.ts';

/** A later moment than the one before, as the API writes it. */
async function afterwards(): Promise<string> {
  const now = Date.now();
  await eventually('the clock moves on', async () => Date.now() > now + 1);
  return new Date().toISOString();
}

describe('audiences as of an earlier time, by the API', () => {
  const backend = useTwoTenants({ contacts: 6 });
  let tagId: string;
  const at: string[] = [];

  const ids = (...numbers: number[]) => numbers.map(contactId);
  const post = (path: string, body: object, method = 'POST') => backend.call(method, path, { body });
  async function moment(): Promise<void> {
    at.push(await afterwards());
    await afterwards();
  }
  const assign = (method: string, ...numbers: number[]) =>
    post(`/tags/${tagId}/assignments`, { contactIds: ids(...numbers) }, method);
  const audience = () => ({ type: 'segment', segment: { all: [{ tag: tagId }, { not: { tag: tagId } }] } });
  const tagged = () => ({ type: 'segment', segment: { tag: tagId } });
  const filter = () => ({ type: 'app_tags', appTagIds: [tagId], tagOperator: 'OR' });
  const preview = (of: object, asOf?: string) =>
    post('/audiences:preview', { serviceNumberId: 'sn-1', audience: of, ...(asOf && { asOf }) });
  const explain = (of: object, contact: string, asOf?: string) =>
    post('/audiences:explain', { serviceNumberId: 'sn-1', audience: of, contactId: contact, ...(asOf && { asOf }) });
  const errorsOf = ({ body }: { body: { errors: FieldError[] } }) => body.errors.map(({ path, code }) => [path, code]);

  before(async () => {
    const tag = await post('/tags', { name: 'VIP', serviceNumberId: 'sn-1', kind: 'permanent' });
    tagId = tag.body.tagId;
    await moment();
    await assign('POST', 1, 2, 3);
    await moment();
    await assign('DELETE', 2);
    await moment();
    await assign('POST', 4, 5);
  });

  it('are counted with their parts, by segment and by tags', async () => {
    const counts = [];
    for (const time of [...at, undefined]) {
      const { body, status } = await preview(tagged(), time);
      expect(status, JSON.stringify(body)).to.equal(200);
      counts.push(body.reachableCount);
      expect((await preview(filter(), time)).body.reachableCount).to.equal(body.reachableCount);
    }
    expect(counts).to.deep.equal([0, 3, 2, 4]);
    expect((await preview(audience(), at[1])).body).to.deep.equal({
      hitCount: 0,
      reachableCount: 0,
      excluded: { expiredTags: 0, unsubscribed: 0, unreachable: 0, controlGroup: 0 },
      parts: [
        { path: '', hitCount: 0 },
        { path: '/all/0', hitCount: 3 },
        { path: '/all/1', hitCount: 3 },
        { path: '/all/1/not', hitCount: 3 },
      ],
    });
  });

  it('say of one contact whether it was in, and what each condition rests on', async () => {
    const of = async (asOf?: string) => (await explain(tagged(), contactId(2), asOf)).body as AudienceExplanation;
    const [before, then, now] = [await of(at[0]), await of(at[1]), await of()];
    expect([before, then, now].map(({ matches, reach, known }) => ({ matches, reach, known }))).to.deep.equal([
      { matches: false, reach: null, known: true },
      { matches: true, reach: 'reachable', known: true },
      { matches: false, reach: null, known: true },
    ]);
    for (const { parts } of [before, then, now]) {
      const [fact] = parts[0]?.facts ?? [];
      expect(fact).to.include({ kind: 'tag', name: 'VIP' });
      expect(Date.parse(fact?.at ?? '')).to.be.within(Date.parse(at[0] ?? ''), Date.parse(at[1] ?? ''));
      expect(Date.parse(fact?.until ?? '')).to.be.within(Date.parse(at[1] ?? ''), Date.parse(at[2] ?? ''));
    }
    expect([before, then, now].map(({ parts }) => parts[0]?.facts[0]?.counts)).to.deep.equal([false, true, false]);
    expect(then.segment).to.deep.equal({ tag: tagId });
    expect((await explain(filter(), contactId(2), at[1])).body.segment).to.deep.equal({ any: [{ tag: tagId }] });
  });

  it('tell of every kind of condition, with the time from when on it was known', async () => {
    const id = await backend.draft({ audience: { type: 'contacts', contactIds: ids(1) } });
    await post(`/campaigns/${id}:send`, {});
    const ended = new Date('2026-01-01T00:00:00Z');
    await backend
      .db('broadcast_task')
      .where({ campaign_id: id })
      .update({ status: 'completed', finished_at: ended, delivered: 1 });
    const fact = { tenant_id: 'a', contact_id: contactId(1), campaign_id: id, stored_at: new Date() };
    const click = { task_id: 't', notice_id: 'n', message_index: 0, action_index: 0, event_id: 'e', clicked_at: ended };
    await backend.db('click_attribution').insert({ ...fact, ...click });
    await backend.db('conversation').insert({ ...fact, session_id: 's', opened_at: ended });
    await backend
      .db('contact_profile')
      .where({ contact_id: contactId(1) })
      .update({ language: 'en', entered_at: ended });
    const list = { name: 'Known', serviceNumberId: 'sn-1', type: 'contacts', contactIds: ids(1) };
    const { audienceId } = (await post('/audiences', list)).body;
    await backend.db('audience').where({ audienceId }).update({ updated_at: ended });
    const campaigns = { campaignIds: [id] };
    const segment = {
      all: [
        { reached: campaigns },
        { clicked: { campaigns } },
        { conversed: campaigns },
        { profile: { field: 'language', test: { op: 'eq', value: 'en' } } },
        { profile: { field: 'attribute', name: 'born', test: { op: 'exists' } } },
        { not: { reached: { lastDays: 3 } } },
        { inList: { audienceId } },
        { entered: { before: '2026-01-02' } },
        { clicked: { campaigns, times: { lte: 0 } } },
      ],
    };
    const explained = async (asOf?: string) => {
      const { body, status } = await explain({ type: 'segment', segment }, contactId(1), asOf);
      expect(status, JSON.stringify(body)).to.equal(200);
      return (body as AudienceExplanation).parts.map(({ path, holds, facts }) => [
        path,
        holds,
        facts[0]?.kind,
        facts[0]?.counts,
        facts[0]?.value,
      ]);
    };
    const conditions = (known: boolean) => [
      ['', false, undefined, undefined, undefined],
      ['/all/0', known, 'reached', known, 'completed'],
      ['/all/1', known, 'clicked', known, 'Yes'],
      ['/all/2', known, 'conversed', known, null],
      ['/all/3', true, 'profile', true, 'en'],
      ['/all/4', false, 'profile', true, null],
      ['/all/5', true, undefined, undefined, undefined],
      ['/all/5/not', false, 'reached', false, 'completed'],
      ['/all/6', true, 'inList', true, null],
      ['/all/7', true, 'entered', true, null],
      ['/all/8', !known, 'clicked', known, 'Yes'],
    ];
    expect(await explained(at[2]), 'before it was known').to.deep.equal(conditions(false));
    expect(await explained(), 'now').to.deep.equal(conditions(true));
  });

  it('say that nothing is known of what is going to be, or is not kept', async () => {
    expect(errorsOf(await preview(tagged(), '2999-01-01T00:00:00Z'))).to.deep.equal([['/asOf', 'in_future']]);
    expect(errorsOf(await explain(tagged(), 'c', '2001-01-01T00:00:00Z'))).to.deep.equal([['/asOf', 'not_kept']]);
    const { status, body } = await preview(tagged(), '2001-01-01T00:00:00Z');
    expect([status, body.code]).to.deep.equal([422, 'invalid_content']);
    const since = new Date(body.errors[0].params.since).getTime();
    expect((await preview(tagged(), new Date(since - 1).toISOString())).status).to.equal(422);
    expect((await preview(tagged(), new Date(since + 60_000).toISOString())).status).to.equal(200);
  });

  it('know tags that were archived since, and no lists that have changed since', async () => {
    const tag = await post('/tags', { name: 'Brief', serviceNumberId: 'sn-1', kind: 'permanent' });
    const body = { name: 'L', serviceNumberId: 'sn-1', type: 'contacts', contactIds: ids(1, 2) };
    const list = (await post('/audiences', body)).body.audienceId;
    const time = await afterwards();
    await afterwards();
    const ofList = { type: 'contacts', audienceId: list };
    const ofTag = { type: 'segment', segment: { tag: tag.body.tagId } };
    expect((await preview(ofList, time)).body.reachableCount).to.equal(2);
    expect((await post(`/tags/${tag.body.tagId}`, {}, 'DELETE')).status).to.equal(204);
    await post(`/audiences/${list}`, { contactIds: ids(3) }, 'PATCH');
    expect((await preview(ofTag, time)).status).to.equal(200);
    expect(errorsOf(await preview(ofTag))).to.deep.equal([['/audience/segment/tag', 'unknown_or_archived']]);
    expect(errorsOf(await preview(ofList, time))).to.deep.equal([['/audience/audienceId', 'changed_since']]);
    const inList = { type: 'segment', segment: { not: { inList: { audienceId: list } } } };
    const changed = [['/audience/segment/not/inList/audienceId', 'changed_since']];
    expect(errorsOf(await preview(inList, time))).to.deep.equal(changed);
    expect(errorsOf(await explain(inList, contactId(1), time))).to.deep.equal(changed);
    expect((await preview(inList, await afterwards())).body.hitCount).to.equal(5);
  });

  it('are of one tenant, and of no contact of another', async () => {
    const token = await backend.token('b');
    const body = { serviceNumberId: 'sn-1', audience: tagged(), contactId: contactId(1), asOf: at[1] };
    const foreign = await backend.call('POST', '/audiences:explain', { token, body });
    expect(errorsOf(foreign)).to.deep.equal([['/audience/segment/tag', 'unknown_or_archived']]);
    const everybody = { ...body, audience: { type: 'segment', segment: { not: { reached: { lastDays: 1 } } } } };
    await backend.db('contact_profile_past').insert({
      tenant_id: 'a',
      service_number_id: 'sn-1',
      contact_id: 'only-of-a',
      attributes: '{}',
      follow_state: 'following',
      unsubscribed: false,
      until: new Date(),
    });
    const of = { token, body: { ...everybody, contactId: 'only-of-a' } };
    expect((await backend.call('POST', '/audiences:explain', of)).body).to.include({ known: false, matches: false });
  });

  it('cost the present nothing: its statements read none of what is kept of the past', async () => {
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    backend.db.on('query', note);
    const draft = await backend.draft({ audience: tagged() as never });
    for (const of of [tagged(), filter(), { type: 'contacts', contactIds: ids(1) }])
      expect((await preview(of)).status).to.equal(200);
    expect((await post(`/campaigns/${draft}:send`, {})).status).to.be.below(300);
    const past = /_past|changed_at|stored_at|delivered_since|archived_at/;
    const read = () => statements.filter((sql) => /contact_profile|tag_block/.test(sql));
    expect(read().filter((sql) => past.test(sql))).to.deep.equal([]);
    expect(read().length).to.be.greaterThan(3);
    await preview(tagged(), at[1]);
    backend.db.removeListener('query', note);
    expect(read().filter((sql) => past.test(sql))).to.have.length(1);
  });
});
