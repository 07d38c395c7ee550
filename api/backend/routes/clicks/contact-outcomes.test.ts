import { expect } from 'chai';
import { type Database, rows } from '#db/database.ts';
import { listContactOutcomes } from '#db/outreach/outcomes/list.ts';
import { contactOutcomes } from '#domain/contacts/outcomes.ts';
import type { CampaignContact } from '#domain/api/campaign-contacts.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { planRows } from '#test/support/servers/plan-rows.ts';
import { type TestSend, seedSend } from '#test/support/outreach/rows.ts';

/** More than one window of recipients has, all of whom one sub-task of thirty reached. */
const SUB_TASKS = 30;
/** One transaction saves or tags the contacts of 20 lists. */
const CONTROL_LISTS = 25;

describe('what each contact of a campaign did', () => {
  const backend = useTwoTenants({ contacts: 1 });
  let send: TestSend;
  let large: TestSend;

  const run = (sql: string, bindings: Record<string, unknown> = {}) =>
    rows(backend.db, sql, { id: send.campaignId, keys: send.keys, ...bindings });

  // Sub-task 0 was delivered, 1 failed, 2 was delivered to nobody. c0-1 clicked two buttons and got a tag by a rule for the
  // second click, c0-2 clicked and opened a conversation, c0-3 did nothing.
  before(async () => {
    send = await seedSend(backend.db, 'a', { chunks: [3, 2, 1] });
    large = await seedSend(backend.db, 'a', { chunks: Array.from({ length: SUB_TASKS }, () => 1000) });
    await run(`update broadcast_task set status = case chunk when 1 then 'failed' else 'completed' end,
      delivered = case chunk when 0 then 3 else 0 end, error_code = case chunk when 1 then 'quota' end,
      task_id = 'task-' || chunk where campaign_id = :id`);
    await run(
      `update broadcast_task set status = 'completed', delivered = case chunk when 29 then 1000 else 0 end
      where campaign_id = :large`,
      { large: large.campaignId },
    );
    await run(`insert into contact_profile (tenant_id, service_number_id, contact_id, display_name, follow_state, last_event_at)
      values ('a', 'sn-1', 'c0-1', 'Ann', 'following', now())`);
    await run(`insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, message_index,
        campaign_id, biz_event_code, event_id, clicked_at, repeats) values
      ('a', 'task-0', 'c0-1', 'n1', 0, 0, :id, 'buy', 'e1', '2026-11-01T10:00:00.123Z', 2),
      ('a', 'task-0', 'c0-1', 'n1', 1, 0, :id, 'more', 'e2', '2026-11-01T11:00:00Z', 0),
      ('a', 'task-0', 'c0-2', 'n2', 0, 0, :id, 'buy', 'e3', '2026-11-01T12:00:00Z', 0)`);
    await run(`insert into conversation (tenant_id, session_id, campaign_id, service_number_id, contact_id, opened_at) values
      ('a', 's1', :id, 'sn-1', 'c0-2', '2026-11-01T12:01:00Z'), ('a', 's2', :id, 'sn-1', 'c0-2', '2026-11-02T12:01:00Z')`);
    await run(`insert into tag (tag_id, tenant_id, service_number_id, name, color, source, kind, status)
      values ('keen', 'a', 'sn-1', 'Keen', '#00aa00', 'app_smart', 'permanent', 'active'), ('other', 'a', 'sn-1', 'Other', null, 'app_manual', 'permanent', 'active')`);
    await run(`insert into tag_assignment (tenant_id, tag_id, contact_id, assigned_at, source_rule_id, source_rule_version,
        source_campaign_id, source_event_id) values
      ('a', 'keen', 'c0-1', '2026-11-01T11:00:01Z', 'rule-1', 3, :id, 'e2'), ('a', 'other', 'c0-2', now(), null, null, null, null)`);
  });

  before(() =>
    run(
      `with held as (update dispatch set control_count = :lists where campaign_id = :id returning dispatch_id)
       insert into dispatch_control (dispatch_id, part, contact_ids)
       select dispatch_id, n, array['h-' || (n + 100)] from held, generate_series(0, :lists::int - 1) as n`,
      { lists: CONTROL_LISTS },
    ),
  );

  const list = async (query = '', id = send.campaignId) => {
    const { status, body } = await backend.call('GET', `/campaigns/${id}/contacts?${query}`);
    expect(status).to.equal(200);
    return body as { items: CampaignContact[]; nextCursor: string | null };
  };
  const idsOf = async (query: string) => (await list(query)).items.map(({ contactId }) => contactId);

  it('says of each its sub-task, clicks, conversation and tags, with the event and the rule', async () => {
    const { items, nextCursor } = await list();
    expect(items.map(({ contactId }) => contactId)).to.deep.equal(['c0-1', 'c0-2', 'c0-3', 'c1-1', 'c1-2', 'c2-1']);
    expect(nextCursor).to.equal(null);
    const click = { messageIndex: 0, repeats: 0 };
    expect(items[0]).to.deep.equal({
      contactId: 'c0-1',
      displayName: 'Ann',
      subTask: { key: send.keys[0], send: 1, taskId: 'task-0', status: 'completed', errorCode: null, delivered: true },
      clicks: [
        {
          ...click,
          actionIndex: 0,
          label: 'Buy',
          bizEventCode: 'buy',
          clickedAt: '2026-11-01T10:00:00.123Z',
          eventId: 'e1',
          repeats: 2,
        },
        {
          ...click,
          actionIndex: 1,
          label: 'More',
          bizEventCode: 'more',
          clickedAt: '2026-11-01T11:00:00.000Z',
          eventId: 'e2',
        },
      ],
      conversation: null,
      tags: [
        {
          tagId: 'keen',
          name: 'Keen',
          color: '#00aa00',
          assignedAt: '2026-11-01T11:00:01.000Z',
          ruleId: 'rule-1',
          ruleVersion: 3,
          eventId: 'e2',
        },
      ],
    });
    const first = { sessionId: 's1', openedAt: '2026-11-01T12:01:00.000Z', closedAt: null };
    expect([items[1]?.conversation, items[1]?.tags]).to.deep.equal([first, []]);
    expect(items[3]?.subTask).to.deep.include({
      key: send.keys[1],
      status: 'failed',
      errorCode: 'quota',
      delivered: false,
    });
  });

  it('keeps those with an outcome, by one button or event code where that is asked', async () => {
    expect(await idsOf('outcome=received')).to.deep.equal(['c0-1', 'c0-2', 'c0-3']);
    expect(await idsOf('outcome=not_received')).to.deep.equal(['c1-1', 'c1-2', 'c2-1']);
    expect(await idsOf('outcome=clicked')).to.deep.equal(['c0-1', 'c0-2']);
    expect(await idsOf('outcome=clicked&messageIndex=0&actionIndex=1')).to.deep.equal(['c0-1']);
    expect(await idsOf('outcome=not_clicked')).to.deep.equal(['c0-3']);
    expect(await idsOf('outcome=not_clicked&bizEventCode=more')).to.deep.equal(['c0-2', 'c0-3']);
    expect(await idsOf('outcome=conversed')).to.deep.equal(['c0-2']);
    expect(await idsOf('outcome=converted')).to.deep.equal(['c0-1']);
    const held = Array.from({ length: CONTROL_LISTS }, (_, n) => `h-${n + 100}`);
    expect(await idsOf('outcome=held_back')).to.deep.equal(held);
    expect((await list('outcome=held_back&limit=1')).items[0]?.subTask).to.equal(null);
  });

  it('pages through any outcome, each contact once', async () => {
    for (const outcome of ['', 'outcome=received', 'outcome=not_received', 'outcome=clicked', 'outcome=held_back']) {
      const whole = await idsOf(outcome);
      const paged: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: Awaited<ReturnType<typeof list>> = await list(`${outcome}&limit=1${cursor && `&cursor=${cursor}`}`);
        expect(page.items.length).to.be.at.most(1);
        paged.push(...page.items.map(({ contactId }) => contactId));
        cursor = page.nextCursor;
      }
      expect(paged, outcome).to.deep.equal(whole);
    }
  });

  it('ends a page after 20,000 contacts without the outcome, and finds it on a later one', async () => {
    const query = 'outcome=received&limit=50';
    const found: string[] = [];
    let requests = 0;
    let cursor: string | null = '';
    while (cursor !== null && found.length === 0) {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `${query}${cursor && `&cursor=${cursor}`}`,
        large.campaignId,
      );
      found.push(...page.items.map(({ contactId }) => contactId));
      cursor = page.nextCursor;
      requests += 1;
    }
    expect(requests).to.equal(2);
    expect(found).to.have.length(50);
    expect(found.every((contactId) => contactId.startsWith('c29-'))).to.equal(true);
  });

  it('exports the same, filtered, and nothing of another tenant', async () => {
    const address = `${backend.base}/internal/v1/campaigns/${send.campaignId}/contacts.csv?outcome=clicked`;
    const csv = await fetch(address, { headers: { Authorization: `Bearer ${backend.operator}` } });
    expect(
      (await csv.text())
        .replace(/^\uFEFF/, '')
        .trim()
        .split('\r\n'),
    ).to.deep.equal([
      'contactId,subTaskKey,status,received,firstClickedAt,buttons,conversationAt,tags',
      `c0-1,${send.keys[0]},completed,true,2026-11-01T10:00:00.123Z,Buy; More,,Keen`,
      `c0-2,${send.keys[0]},completed,true,2026-11-01T12:00:00.000Z,Buy,2026-11-01T12:01:00.000Z,`,
    ]);
    const foreign = await seedSend(backend.db, 'b', { chunks: [1] });
    expect((await backend.call('GET', `/campaigns/${foreign.campaignId}/contacts`)).status).to.equal(404);
    expect((await backend.call('GET', `/campaigns/${send.campaignId}/contacts?outcome=x`)).status).to.equal(400);
  });

  /** What the service number knows of those with an outcome, as the file has them. */
  async function knownIn(campaignId: string, query: string): Promise<string[]> {
    const file = await fetch(`${backend.base}/internal/v1/campaigns/${campaignId}/contacts.csv?${query}`, {
      headers: { Authorization: `Bearer ${backend.operator}` },
    });
    const ids = (await file.text()).trim().split('\r\n').slice(1);
    const listed = ids.map((line) => line.split(',')[0] ?? '');
    const sql = `select contact_id from contact_profile where tenant_id = 'a' and contact_id = any(:listed) order by contact_id`;
    return (await run(sql, { listed })).map((row) => String((row as { contactId: string }).contactId));
  }

  it('saves any of them as a list and tags them: exactly those that the service number knows', async function () {
    this.timeout(60_000);
    await run(`insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
      select 'a', 'sn-1', contact_id, 'following', now() from unnest(array['c0-2', 'c0-3', 'c1-1', 'c2-1', 'c7-3', 'c29-5', 'h-101', 'h-124']) as contact_id`);
    const asked: [string, object, string][] = [
      ...contactOutcomes.map((outcome): [string, object, string] => [
        send.campaignId,
        { outcome },
        `outcome=${outcome}`,
      ]),
      [send.campaignId, { outcome: 'not_clicked', bizEventCode: 'more' }, 'outcome=not_clicked&bizEventCode=more'],
      [large.campaignId, { outcome: 'not_received' }, 'outcome=not_received'],
      [large.campaignId, { outcome: 'received' }, 'outcome=received'],
    ];
    const found: number[] = [];
    for (const [campaignId, body, query] of asked) {
      const expected = await knownIn(campaignId, query);
      found.push(expected.length);
      const path = `/campaigns/${campaignId}/contacts`;
      const saved = await backend.call('POST', `${path}:save-audience`, { body: { name: query, ...body } });
      expect([saved.status, saved.body.isComplete, saved.body.memberCount]).to.deep.equal([201, true, expected.length]);
      const members = await run(
        'select contact_id from audience_member where audience_id = :list order by contact_id',
        {
          list: saved.body.audienceId,
        },
      );
      expect(members, query).to.deep.equal(expected.map((contactId) => ({ contactId })));

      const named = { name: `Tag ${found.length}`, serviceNumberId: 'sn-1', kind: 'permanent' };
      const { tagId } = (await backend.call('POST', '/tags', { body: named })).body;
      const tagged = await backend.call('POST', `${path}:tag`, { body: { tagId, ...body } });
      expect(tagged.body, query).to.deep.equal({ assigned: expected.length, finished: true });
      const given = await run('select contact_id from tag_assignment where tag_id = :tagId order by contact_id', {
        tagId,
      });
      expect(given, query).to.deep.equal(members);
    }
    expect(found).to.deep.equal([3, 2, 2, 1, 1, 1, 2, 2, 6, 1]);
    const refused = await backend.call('POST', `/campaigns/${send.campaignId}/contacts:save-audience`, {
      body: { name: 'x' },
    });
    expect([refused.status, refused.body.errors[0].path]).to.deep.equal([400, '/outcome']);
  });

  it('looks at few lists for a page of a thousand, whoever of them is in which', async () => {
    const page = (database: Database) =>
      listContactOutcomes(database, { tenantId: 'a', campaignId: large.campaignId }, { limit: 1000 });
    expect((await page(backend.db)).items.map(({ subTask }) => subTask?.send)).to.deep.equal(
      Array.from({ length: 1000 }, () => 1),
    );
    expect(await planRows(backend.db, 'dispatch_chunk', page)).to.be.within(1, 10 * SUB_TASKS);
  });
});
