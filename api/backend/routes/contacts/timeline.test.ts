import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { handleBatch } from '#activities/outreach/inbox/batch.ts';
import { rows } from '#db/database.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { timelineSql } from '#db/outreach/contacts/timeline.ts';
import type { HandledEventType } from '#domain/api/events.ts';
import type { TimelineItem } from '#domain/api/timeline.ts';
import { contactId, insertContacts } from '#test/support/services/backend.ts';
import { insertRecipients } from '#test/support/outreach/recipients.ts';
import { seedSend, type TestSend } from '#test/support/outreach/rows.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

const minute = (n: number) => new Date(Date.UTC(2026, 2, 1, 10, n)).toISOString();

describe('the timeline of a contact', () => {
  const backend = useTwoTenants({ contacts: 3 });
  before(async () => {
    await insertContacts(backend.db, 'a', 1, 'sn-2');
    await insertContacts(backend.db, 'b', 1);
  });

  const one = contactId(1);
  const path = `/contacts/sn-1/${one}/timeline`;

  async function pages(url: string, limit: number, as = backend.operator): Promise<TimelineItem[]> {
    const items: TimelineItem[] = [];
    let cursor: string | null = null;
    do {
      const page = await backend.call(
        'GET',
        `${url}${url.includes('?') ? '&' : '?'}limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
        {
          token: as,
        },
      );
      expect(page.status, JSON.stringify(page.body)).to.equal(200);
      items.push(...page.body.items);
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    return items;
  }

  /** A send with one sub-task to contact 1, in the given state. */
  async function send(tenantId: string, status: string, at: number): Promise<TestSend> {
    const made = await seedSend(backend.db, tenantId, { chunks: [1] });
    await backend
      .db('dispatch_chunk')
      .where({ dispatch_id: made.dispatchId })
      .update({ contact_ids: [one] });
    await backend
      .db('broadcast_task')
      .where({ key: made.keys[0] })
      .update({ status, task_id: `task-${made.keys[0]}`, started_at: minute(at) });
    return made;
  }

  async function receive(tenantId: string, eventType: HandledEventType, at: number, data: object): Promise<void> {
    const command = {
      tenantIntegrationId: `ti-${tenantId}`,
      eventId: randomUUID(),
      eventType,
      occurredAt: minute(at),
      serviceNumberId: 'sn-1',
      payload: JSON.stringify({ contactId: one, serviceNumberId: 'sn-1', ...data }),
    };
    await storeEvents(backend.db, [command], 1, new Date());
    const { failed } = await handleBatch(backend.db, 0, eventHandlers, new Date());
    expect(failed).to.deep.equal([]);
  }

  const click = (tenantId: string, made: TestSend, at: number, actionIndex = 0) =>
    receive(tenantId, 'notice.clicked', at, {
      taskId: `task-${made.keys[0]}`,
      noticeId: 'n1',
      actionIndex,
      action: { type: 'Postback', data: { subTaskKey: made.keys[0], messageIndex: 0, bizEventCode: 'buy' } },
      clickedAt: minute(at),
    });

  it('returns all entries of one contact newest first, for any page size, and none of other contacts', async () => {
    await receive('a', 'contact.entered', 1, {});
    const sent = await send('a', 'completed', 10);
    for (const status of ['pending', 'rejected', 'cancelled', 'unknown', 'scheduled']) await send('a', status, 11);
    await click('a', sent, 12);
    await click('a', sent, 13);
    await click('a', sent, 12, 1);
    await receive('a', 'session.created', 14, {
      sessionId: 's1',
      entryReason: { id: sent.campaignId },
      channel: 'web',
    });
    await receive('a', 'session.closed', 20, {
      sessionId: 's1',
      closedAt: minute(20),
      summary: { duration: 360, messageCount: 4 },
    });
    await receive('a', 'contact.unsubscribed', 30, {});
    await receive('a', 'contact.updated', 31, { displayName: 'One' });
    const body = { name: 'Keen', serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = (await backend.call('POST', '/tags', { body })).body;
    await backend.call('POST', `/tags/${tagId}/assignments`, { body: { contactIds: [one] } });
    const theirs = await send('b', 'completed', 10);
    await click('b', theirs, 15);

    const all = await pages(path, 200);
    expect(all.map(({ kind, at }) => [kind, kind === 'tag' ? null : at])).to.deep.equal([
      ['tag', null],
      ['follow', minute(30)],
      ['session', minute(14)],
      ['click', minute(12)],
      ['click', minute(12)],
      ['notice', minute(10)],
      ['follow', minute(1)],
    ]);
    for (const size of [1, 2, 3]) expect(await pages(path, size)).to.deep.equal(all);

    const of = (kind: string) => all.filter((item) => item.kind === kind);
    expect(of('follow')).to.have.nested.property('[0].event', 'unsubscribed');
    expect(of('session')[0]).to.include({ sessionId: 's1', campaignId: sent.campaignId, campaignName: 'Spring' });
    expect(of('session')[0]).to.include({
      closedAt: minute(20),
      durationSeconds: 360,
      messageCount: 4,
      channel: 'web',
    });
    expect(of('tag')[0]).to.include({ tagId, name: 'Keen' });
    expect(of('tag')[0]).to.have.nested.property('origin.assignedBy', 'user-of-a');
    expect(of('notice')[0]).to.include({
      campaignId: sent.campaignId,
      taskId: `task-${sent.keys[0]}`,
      status: 'completed',
    });
    const byLabel = new Map(of('click').map((item) => [item.kind === 'click' ? item.label : null, item]));
    expect(byLabel.get('Buy')).to.include({ actionIndex: 0, bizEventCode: 'buy', repeats: 1 });
    expect(byLabel.get('More')).to.include({ actionIndex: 1, repeats: 0 });

    const foreign = await pages(path, 200, backend.foreign);
    expect(foreign.map(({ kind }) => kind)).to.deep.equal(['click', 'notice']);
    expect(await pages(`/contacts/sn-2/${one}/timeline`, 200)).to.deep.equal([]);
    expect(await pages(`/contacts/sn-1/${contactId(2)}/timeline`, 200)).to.deep.equal([]);
  });

  it('returns each tag that a campaign earned by hop, with its name', async () => {
    const earned = await send('a', 'completed', 50);
    await click('a', earned, 51, 1);
    const body = { name: 'Earned', serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = (await backend.call('POST', '/tags', { body })).body;
    const rule = { name: 'Clickers', triggerEvent: 'notice.clicked', matchCondition: { all: [] }, targetTagId: tagId };
    const { ruleId } = (await backend.call('POST', '/smart-tag-rules', { body: rule })).body;
    await click('a', earned, 52, 0);
    await backend.call('PATCH', `/smart-tag-rules/${ruleId}`, { body: { name: 'Renamed since' } });
    const [conversion, ...others] = await pages(`${path}?kind=conversion`, 1);
    expect(others).to.deep.equal([]);
    expect(conversion?.kind === 'tag' && conversion.origin).to.deep.include({
      ruleName: 'Renamed since',
      ruleVersion: 1,
      campaignName: 'Spring',
      actionIndex: 0,
      buttonLabel: 'Buy',
      eventType: 'notice.clicked',
      occurredAt: minute(52),
    });
    for (const kind of ['notice', 'click', 'session', 'tag', 'follow']) {
      const found = await pages(`${path}?kind=${kind}`, 1);
      expect(found, kind).to.deep.equal((await pages(path, 200)).filter((item) => item.kind === kind));
      expect(found, kind).not.to.deep.equal([]);
    }
    expect((await backend.call('GET', `${path}?kind=other`)).body.code).to.equal('invalid_request');
  });

  it('responds 404 for a contact that the tenant does not have, and 400 for an invalid cursor', async () => {
    const read = async (url: string, as: string) => (await backend.call('GET', url, { token: as })).body.code;
    expect(await read(`/contacts/sn-1/${contactId(2)}/timeline`, backend.foreign)).to.equal('not_found');
    expect(await read(`${path}?cursor=WzFd`, backend.operator)).to.equal('invalid_request');
    expect((await backend.call('GET', path, { token: null })).status).to.equal(401);
  });

  it('scans no whole table: 20,000 contacts, three sends to all, as the application’s role', async () => {
    const bulk = (sql: string) => rows(backend.db, sql, { tenantId: 'a' });
    const sends = [];
    for (let n = 0; n < 3; n += 1) sends.push(await send('a', 'completed', 40 + n));
    const [campaignId, key] = [sends[0]?.campaignId, sends[0]?.keys[0]];
    await insertRecipients(
      backend.db,
      `select d as dispatch_id, 'x-' || lpad(n::text, 5, '0') as contact_id, n / 10 + 1 as chunk
       from unnest(:sends::text[]) d, generate_series(1, 20000) n`,
      { sends: sends.map(({ dispatchId }) => dispatchId) },
    );
    await backend.db.raw(
      `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, clicked_at)
       select 'a', ?, 'x-' || n, 'n', 0, ?, 'e-' || n, now() from generate_series(1, 20000) n`,
      [key ?? '', campaignId ?? ''],
    );
    await bulk(`insert into conversation (tenant_id, session_id, contact_id, service_number_id, opened_at)
      select :tenantId, 'x-' || n, 'x-' || n, 'sn-1', now() from generate_series(1, 20000) n`);
    await bulk(`insert into contact_event
      select :tenantId, 'sn-1', 'x-' || n, 'e-' || n, 'contact.entered', now() from generate_series(1, 20000) n`);
    await bulk(`insert into tag_assignment (tenant_id, tag_id, contact_id)
      select :tenantId, (select tag_id from tag limit 1), 'x-' || n from generate_series(1, 20000) n`);
    const scan = String.raw`Seq Scan on (dispatch_chunk|click_attribution|conversation|contact_event|tag_assignment)\S* \w+ +`;
    // A partition with a few rows is one page.
    const large = String.raw`${scan}\(cost=0\.00\.\.\d{2,}\.`;
    const bindings = { tenantId: 'a', serviceNumberId: 'sn-1', contactId: one, rows: 51, at: 4e15, kind: 'x', id: 'x' };
    const owner = backend.database.connect('outreach', 'owner');
    for (const analysed of [false, true]) {
      if (analysed) {
        for (const table of ['dispatch_chunk', 'click_attribution', 'conversation', 'contact_event', 'tag_assignment'])
          await owner.raw(`analyze ${table}`);
      }
      for (const resumed of [false, true]) {
        const plan = await rows<{ 'QUERY PLAN': string }>(backend.db, `explain ${timelineSql(resumed)}`, bindings);
        const text = plan.map((line) => line['QUERY PLAN']).join('\n');
        expect(text, text).not.to.match(new RegExp(large));
      }
    }
    expect((await pages(path, 50)).length).to.equal(14);
  });
});
