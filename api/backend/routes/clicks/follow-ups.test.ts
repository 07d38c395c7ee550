import { expect } from 'chai';
import { createJobResumers } from '#activities/outreach/left-work.ts';
import { collectList } from '#commands/outreach/audiences/collect-list.ts';
import { unfinishedLists } from '#db/outreach/audiences/collecting.ts';
import { rows } from '#db/database.ts';
import { beginTagging } from '#commands/outreach/outcomes/begin-tagging.ts';
import { tagContacts } from '#commands/outreach/outcomes/tag-contacts.ts';
import { unfinishedTaggings } from '#db/outreach/outcomes/tagging.ts';
import type { Click } from '#domain/api/campaign.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { seedSend } from '#test/support/outreach/rows.ts';

const SUB_TASKS = 23;
const FAILED = 22;
/** More than one transaction reads. */
const CLICKED = 21_000;

describe('what the clicks of a campaign lead to', () => {
  const backend = useTwoTenants({ contacts: 3 });
  let id: string;

  const post = (path: string, body: object) => backend.call('POST', `/campaigns/${id}${path}`, { body });
  const membersOf = async (audienceId: string): Promise<Set<string>> =>
    new Set(
      (await backend.db('audience_member').where({ audience_id: audienceId })).map(
        (row: { contactId: string }) => row.contactId,
      ),
    );
  const entries = (objectId: string) => backend.db('audit_log').where({ object_id: objectId }).orderBy('at');

  // 23,000 contacts: the last two of each sub-task are unknown and erased; 21,000 clicked the first button, 10 the second.
  before(async function () {
    this.timeout(120_000);
    const send = await seedSend(backend.db, 'a', { chunks: Array.from({ length: SUB_TASKS }, () => 1000) });
    id = send.campaignId;
    const run = (sql: string) => rows(backend.db, sql, { id, dispatchId: send.dispatchId, FAILED, CLICKED });
    await run(`update broadcast_task set status = case when chunk = :FAILED then 'failed' else 'completed' end,
      delivered = 1000, sent = 1000 where campaign_id = :id`);
    await run(`update campaign set status = 'completed' where campaign_id = :id`);
    await run(`update dispatch_chunk set contact_ids = array(
        select case when id like 'c%-1000' then 'erased:' || gen_random_uuid() else id end as renamed
        from unnest(contact_ids) as id order by renamed)
      where dispatch_id = :dispatchId`);
    await run(`insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
      select 'a', 'sn-1', contact_id, 'following', now() from dispatch_recipient
      where dispatch_id = :dispatchId and contact_id not like 'c%-999' and contact_id like 'c%'`);
    await run(`insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, message_index,
        campaign_id, biz_event_code, event_id, clicked_at)
      select 'a', 't', contact_id, 'n-' || contact_id, 0, 0, :id, 'buy', 'e-' || contact_id,
        timestamptz '2026-11-01T00:00:00Z' + (row_number() over (order by contact_id) / 3) * interval '1 microsecond'
      from dispatch_recipient where dispatch_id = :dispatchId and chunk < 21`);
    await run(`insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, message_index,
        campaign_id, biz_event_code, event_id, clicked_at)
      select 'a', 't', contact_id, 'm-' || contact_id, 1, 0, :id, 'more', 'f-' || contact_id, '2026-11-02T00:00:00Z'
      from dispatch_recipient where dispatch_id = :dispatchId and chunk = 1 and contact_id like 'c1-10_'`);
  });

  it('lists and exports the clicks of one button or event code, with the names of the contacts', async () => {
    await backend.db('contact_profile').where({ tenant_id: 'a', contact_id: 'c1-100' }).update({ display_name: 'Ann' });
    const list = async (query: string): Promise<Click[]> =>
      (await backend.call('GET', `/campaigns/${id}/clicks?${query}`)).body.items;
    const second = await list('messageIndex=0&actionIndex=1');
    expect(second.map(({ bizEventCode }) => bizEventCode)).to.deep.equal(Array.from({ length: 10 }, () => 'more'));
    expect(second.find(({ contactId }) => contactId === 'c1-100')?.displayName).to.equal('Ann');
    expect(await list('bizEventCode=more')).to.deep.equal(second);
    expect(await list('bizEventCode=more&actionIndex=0')).to.deep.equal([]);
    const first = await backend.call('GET', `/campaigns/${id}/clicks?bizEventCode=more&limit=4`);
    const rest = await list(`bizEventCode=more&cursor=${first.body.nextCursor}`);
    expect([...first.body.items, ...rest]).to.deep.equal(second);
    const csv = await fetch(`${backend.base}/internal/v1/campaigns/${id}/clicks.csv?bizEventCode=more`, {
      headers: { Authorization: `Bearer ${backend.operator}` },
    });
    expect((await csv.text()).trim().split('\r\n')).to.have.length(11);
    expect((await backend.call('GET', `/campaigns/${id}/clicks?actionIndex=x`)).status).to.equal(400);
  });

  it('saves those who clicked as a list, whom it knows, each once, and says who did', async function () {
    this.timeout(60_000);
    const all = await post('/clicks:save-audience', { name: 'Clicked' });
    expect([all.status, all.body.type, all.body.isComplete]).to.deep.equal([201, 'contacts', true]);
    const members = await membersOf(all.body.audienceId);
    expect(members.size).to.equal(CLICKED - 2 * 21);
    expect(all.body.memberCount).to.equal(members.size);
    expect([...members].filter((contactId) => /^erased|-999$/.test(contactId))).to.deep.equal([]);
    const few = await post('/clicks:save-audience', { name: 'More', messageIndex: 0, actionIndex: 1 });
    expect(few.body.memberCount).to.equal(10);
    const [entry] = await entries(few.body.audienceId);
    expect([entry.action, entry.after.collecting.campaignId]).to.deep.equal(['audience.create', id]);
    expect((await post('/clicks:save-audience', { name: '' })).status).to.equal(400);
  });

  it('continues a list whose process died; until then nothing can be sent to it', async function () {
    this.timeout(60_000);
    const { audienceId } = (await post('/clicks:save-audience', { name: 'Left' })).body;
    const whole = await membersOf(audienceId);
    const collecting = { campaignId: id, who: 'clicked', afterClick: null, afterTask: null };
    await backend.db('audience_member').where({ audience_id: audienceId }).delete();
    await backend
      .db('audience')
      .where({ audience_id: audienceId })
      .update({ member_count: 0, collecting: JSON.stringify(collecting), updated_at: new Date(0) });
    expect((await backend.call('GET', `/audiences/${audienceId}`)).body.isComplete).to.equal(false);
    const draft = await backend.draft({ audience: { type: 'contacts', audienceId } });
    expect((await backend.act(draft, 'send', { body: {} })).body.code).to.equal('invalid_state');
    expect(await unfinishedLists(backend.db, { before: new Date(1), limit: 5 })).to.deep.equal([audienceId]);
    await Promise.all([1, 2].map(() => collectList(backend.db, audienceId, () => new Date())));
    expect(await membersOf(audienceId)).to.deep.equal(whole);
    const { body } = await backend.call('GET', `/audiences/${audienceId}`);
    expect([body.isComplete, body.memberCount]).to.deep.equal([true, whole.size]);
    expect(await unfinishedLists(backend.db, { before: new Date(), limit: 5 })).to.deep.equal([]);
  });

  it('tags those who clicked; whoever has the tag keeps it as it is', async function () {
    this.timeout(60_000);
    const tagBody = { name: 'Keen', serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = (await backend.call('POST', '/tags', { body: tagBody })).body;
    await backend.call('POST', `/tags/${tagId}/assignments`, { body: { contactIds: ['c1-100'] } });
    const before = await backend.db('tag_assignment').where({ tag_id: tagId }).first();
    const some = await post('/clicks:tag', { tagId, bizEventCode: 'more' });
    expect(some.body).to.deep.equal({ assigned: 9, finished: true });
    expect(await backend.db('tag_assignment').where({ tag_id: tagId, contact_id: 'c1-100' }).first()).to.deep.equal(
      before,
    );
    const all = await post('/clicks:tag', { tagId });
    expect(all.body).to.deep.equal({ assigned: CLICKED - 2 * 21 - 10, finished: true });
    expect((await backend.call('GET', `/tags/${tagId}`)).body.contactCount).to.equal(CLICKED - 2 * 21);
    const given = await backend.db('tag_assignment').where({ tag_id: tagId }).whereNotNull('source_campaign_id');
    expect(given, 'given by hand: no conversion').to.deep.equal([]);
    const noted = (await entries(tagId)).at(-1);
    expect([noted.action, noted.after]).to.deep.equal(['tag.assign', { clickedIn: id }]);
    await backend.call('DELETE', `/tags/${tagId}`);
    expect((await post('/clicks:tag', { tagId })).body.code).to.equal('invalid_state');
  });

  it('continues tagging whose process died after its first page, as the person who began it', async function () {
    this.timeout(60_000);
    const tagBody = { name: 'Left', serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = (await backend.call('POST', '/tags', { body: tagBody })).body;
    const wanted = { campaignId: id, serviceNumberId: 'sn-1', tagId, who: 'clicked' as const, filter: {} };
    const author = { tenantId: 'a', userId: 'nadia', requestId: null };
    const begun = new Date(0);
    const taggingId = await beginTagging(backend.db, author, wanted, begun);
    let pages = 0;
    const died = tagContacts(backend.db, taggingId, {
      now: () => begun,
      onAssigned: () => {
        pages += 1;
        throw new Error('the process ends');
      },
    });
    await died.then(
      () => expect.fail('it should have ended'),
      (error: unknown) => expect(String(error)).to.include('the process ends'),
    );
    const given = () => backend.db('tag_assignment').where({ tag_id: tagId });
    const first = (await given()).length;
    expect([pages, first > 0 && first < CLICKED - 2 * 21]).to.deep.equal([1, true]);

    const warnings: string[] = [];
    const log = { info: () => {}, warn: (_: object, message: string) => warnings.push(message), error: () => {} };
    const rounds = createJobResumers({ database: backend.db, log, now: () => new Date() });
    for (const goOn of rounds) await goOn();
    const unfinished = () => unfinishedTaggings(backend.db, { before: new Date(), limit: 5 });
    await eventually('nothing is left', async () => (await unfinished()).length === 0);
    expect((await given()).length).to.equal(CLICKED - 2 * 21);
    expect(new Set((await given()).map((row: { assignedBy: string }) => row.assignedBy))).to.deep.equal(
      new Set(['nadia']),
    );
    expect((await backend.call('GET', `/tags/${tagId}`)).body.contactCount).to.equal(CLICKED - 2 * 21);
    expect(warnings).to.deep.equal([]);

    // Nobody goes on with a tag that was archived in the meantime.
    const again = await beginTagging(backend.db, author, wanted, begun);
    await backend.call('DELETE', `/tags/${tagId}`);
    await tagContacts(backend.db, again, { now: () => begun, onAssigned: () => {} }).catch(() => {});
    expect(await unfinished()).to.deep.equal([]);
  });

  it('drafts a campaign for those who received it and did not click', async function () {
    this.timeout(60_000);
    const names = { name: 'Spring again', audienceName: 'Silent' };
    const { status, body } = await post(':follow-up', names);
    expect([status, body.status, body.name, body.audience.type]).to.deep.equal([201, 'draft', names.name, 'contacts']);
    const source = await backend.call('GET', `/campaigns/${id}`);
    expect(body.messages).to.deep.equal(source.body.messages);
    const members = await membersOf(body.audience.audienceId);
    // Nobody clicked in the last two sub-tasks, of which one failed.
    expect(members.size).to.equal(998);
    expect([...members].every((contactId) => contactId.startsWith('c21-'))).to.equal(true);
    const list = await backend.call('GET', `/audiences/${body.audience.audienceId}`);
    expect(list.body).to.include({ name: 'Silent', isComplete: true, memberCount: members.size });
    expect((await entries(body.id)).map(({ action }: { action: string }) => action)).to.deep.equal([
      'campaign.duplicate',
    ]);
    const draft = await backend.draft({});
    expect((await backend.call('POST', `/campaigns/${draft}:follow-up`, { body: names })).status).to.equal(409);
  });

  it('is for people of the tenant who may write', async () => {
    const viewer = await backend.token('a', 'viewer', 'vera');
    const body = { name: 'x', audienceName: 'x', tagId: 'x' };
    for (const path of ['/clicks:save-audience', '/clicks:tag', ':follow-up']) {
      const asked = (token: string) => backend.call('POST', `/campaigns/${id}${path}`, { body, token });
      expect((await asked(viewer)).status, path).to.equal(403);
      expect((await asked(backend.foreign)).status, path).to.equal(404);
    }
  });
});
