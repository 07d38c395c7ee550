import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { uuidv7 } from 'uuidv7';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('exports', () => {
  const backend = useTwoTenants({ contacts: 4 });

  const read = async (path: string, token = backend.operator) => {
    const response = await fetch(`${backend.base}/internal/v1${path}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  /** The lines after the header, which is checked. */
  async function linesOf(path: string, header: string, name: RegExp): Promise<string[]> {
    const { response, bytes } = await read(path);
    expect(response.status, bytes.toString()).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).to.match(name);
    expect([...bytes.subarray(0, 3)]).to.deep.equal([0xef, 0xbb, 0xbf]);
    const [first, ...lines] = bytes.subarray(3).toString().split('\r\n');
    expect(first).to.equal(header);
    expect(lines.pop(), 'the last line has an end').to.equal('');
    return lines;
  }

  /** A campaign that was sent twice: the first two contacts, and then again the second. */
  async function sentTwice(): Promise<string> {
    const id = await backend.draft({
      messages: [
        {
          type: 'buttons',
          title: 'Spring',
          text: 'Look',
          actions: [{ type: 'Postback', label: '=Yes, "now"', data: { bizEventCode: '@SPRING' } }],
        },
      ],
    });
    expect((await backend.act(id, 'send', { body: {} })).status).to.equal(202);
    const task = await backend.db('broadcast_task').where({ campaign_id: id }).first();
    await backend.db('broadcast_task').where({ key: task.key }).update({ status: 'rejected', task_id: 't-1' });
    const dispatch = await backend.db('dispatch').where({ campaign_id: id }).first();
    const retry = uuidv7();
    await backend
      .db('dispatch')
      .insert({ ...snake(dispatch), dispatch_id: retry, number: 2, retry_of: dispatch.dispatchId });
    await backend.db('dispatch_chunk').insert({ dispatch_id: retry, chunk: 1, contact_ids: [contactId(2)] });
    await backend.db('broadcast_task').insert({
      key: `retry-${id}`,
      tenant_id: 'a',
      campaign_id: id,
      dispatch_id: retry,
      chunk: 1,
      task_id: 't-2',
      status: 'completed',
      contact_count: 1,
    });
    return id;
  }
  const snake = (row: Record<string, unknown>) => ({
    tenant_id: row['tenantId'],
    campaign_id: row['campaignId'],
    audience_count: 1,
    audience_hash: 'x',
    excluded: row['excluded'],
    created_by: row['createdBy'],
  });
  const click = (campaignId: string, n: number, at: string, more: object = {}) =>
    backend.db('click_attribution').insert({
      tenant_id: 'a',
      task_id: 't-2',
      contact_id: contactId(n),
      notice_id: `n-${at}`,
      action_index: 0,
      message_index: 0,
      campaign_id: campaignId,
      biz_event_code: '@SPRING',
      event_id: `e-${at}`,
      clicked_at: at,
      repeats: 2,
      ...more,
    });

  it('A16: recipients.csv has each contact once, with its newest sub-task and its first click', async () => {
    const id = await sentTwice();
    const first = await backend.db('broadcast_task').where({ campaign_id: id, status: 'rejected' }).first();
    await click(id, 2, '2026-01-02T00:00:00.000Z');
    await click(id, 2, '2026-01-01T00:00:00.000Z');
    const lines = await linesOf(
      `/campaigns/${id}/recipients.csv`,
      'contactId,subTaskKey,status,clickedAt',
      new RegExp(`attachment; filename="recipients-${id}.csv"`),
    );
    expect(lines).to.deep.equal([
      `${contactId(1)},${first.key},rejected,`,
      `${contactId(2)},retry-${id},completed,2026-01-01T00:00:00.000Z`,
    ]);
  });

  it('A16: clicks.csv has every click, newest first, with the label of its button', async () => {
    const id = await sentTwice();
    await click(id, 2, '2026-01-02T00:00:00.000Z');
    await click(id, 1, '2026-01-03T00:00:00.123Z', { message_index: null, biz_event_code: null, repeats: 0 });
    const lines = await linesOf(
      `/campaigns/${id}/clicks.csv`,
      'contactId,clickedAt,messageIndex,actionIndex,label,bizEventCode,repeats',
      /filename="clicks-/,
    );
    expect(lines).to.deep.equal([
      `${contactId(1)},2026-01-03T00:00:00.123Z,,0,,,0`,
      `${contactId(2)},2026-01-02T00:00:00.000Z,0,0,"'=Yes, ""now""",'@SPRING,2`,
    ]);
  });

  it('A16: assignments.csv and contacts.csv have what their lists show', async () => {
    const { body: tag } = await backend.call('POST', '/tags', {
      body: { name: 'Fans', serviceNumberId: 'sn-1', kind: 'permanent' },
    });
    const contactIds = [contactId(1), contactId(2)];
    await backend.call('POST', `/tags/${tag.tagId}/assignments`, { body: { contactIds } });
    await backend.db('tag_assignment').insert({
      tenant_id: 'a',
      tag_id: tag.tagId,
      contact_id: contactId(3),
      assigned_at: '2020-01-01T00:00:00.000Z',
      source_rule_id: 'r-1',
      source_campaign_id: 'c-1',
    });
    const assigned = await linesOf(
      `/tags/${tag.tagId}/assignments.csv`,
      'contactId,assignedAt,ruleId,campaignId,assignedBy',
      /filename="assignments-/,
    );
    expect(assigned).to.have.length(3);
    expect(assigned[0]).to.match(new RegExp(`^${contactId(2)},\\d{4}-.*Z,,,user-of-a$`));
    expect(assigned[2]).to.equal(`${contactId(3)},2020-01-01T00:00:00.000Z,r-1,c-1,`);

    await backend
      .db('contact_profile')
      .where({ tenant_id: 'a', contact_id: contactId(2) })
      .update({ unsubscribed: true });
    const { body: audience } = await backend.call('POST', '/audiences', {
      body: { name: 'List', serviceNumberId: 'sn-1', type: 'contacts', contactIds: [...contactIds, '=unknown'] },
    });
    const members = `/audiences/${audience.audienceId}/contacts.csv`;
    expect(await linesOf(members, 'contactId,reachable', /filename="contacts-/)).to.have.members([
      `'=unknown,false`,
      `${contactId(1)},true`,
      `${contactId(2)},false`,
    ]);
  });

  it('A16: audit-log.csv takes the filters of the list', async () => {
    await backend.db('audit_log').insert({
      audit_id: 'au-1',
      tenant_id: 'a',
      at: '2026-02-01T00:00:00.000Z',
      actor: '=eve',
      action: 'tag.update',
      object_type: 'tag',
      object_id: 'tag-9',
      before: { name: 'Old' },
      after: { name: 'New' },
    });
    const lines = await linesOf(
      `/audit-log.csv?actor=${encodeURIComponent('=eve')}`,
      'at,actor,action,subject,detail',
      /filename="audit-log.csv"/,
    );
    expect(lines).to.deep.equal([
      `2026-02-01T00:00:00.000Z,'=eve,tag.update,tag:tag-9,"{""before"":{""name"":""Old""},""after"":{""name"":""New""}}"`,
    ]);
    expect((await read('/audit-log.csv?objectType=secret')).response.status).to.equal(400);
  });

  it('A16: whoever may read the list may export it, and no other tenant', async () => {
    const id = await backend.draft();
    const viewer = await backend.token('a', 'viewer', 'v');
    for (const path of [`/campaigns/${id}/recipients.csv`, `/campaigns/${id}/clicks.csv`]) {
      expect((await read(path, viewer)).response.status, path).to.equal(200);
      expect((await read(path, backend.foreign)).response.status, path).to.equal(404);
      expect((await backend.call('GET', path, { token: null })).status, path).to.equal(401);
    }
    for (const path of ['/tags/none/assignments.csv', '/audiences/none/contacts.csv'])
      expect((await read(path)).response.status, path).to.equal(404);
  });
});

/** 50 MB: more than the buffers between the two ends of a connection hold. */
const ROWS = 100_000;
const PAGES = ROWS / 1000;
const ID_BYTES = 500;

describe('exports of 100,000 rows', () => {
  const backend = useTwoTenants({ contacts: 0 });
  let path: string;
  before(async () => {
    const { body } = await backend.call('POST', '/audiences', {
      body: { name: 'All', serviceNumberId: 'sn-1', type: 'contacts', contactIds: [] },
    });
    path = `/audiences/${body.audienceId}/contacts.csv`;
    await backend.db.raw(
      `insert into audience_member select ?, rpad(n::text || '-', ${ID_BYTES}, 'x') from generate_series(1, ${ROWS}) n`,
      [body.audienceId],
    );
  });
  /** Counts the pages that are read from the list. */
  function countPages() {
    const seen = { pages: 0 };
    const count = ({ sql }: { sql: string }) => void (seen.pages += Number(sql.includes('audience_member')));
    backend.db.on('query', count);
    return { seen, stop: () => backend.db.removeListener('query', count) };
  }
  async function readWhole(): Promise<void> {
    const { body } = await backend.call('GET', path);
    expect(String(body).split('\r\n')).to.have.length(1 + ROWS + 1);
  }

  it('A16: reads no further for a reader who does not read on, and stops when the reader leaves', async () => {
    const { seen, stop } = countPages();
    const request = get(`${backend.base}/internal/v1${path}`, {
      headers: { Authorization: `Bearer ${backend.operator}` },
    });
    // Nothing reads the response.
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(200);
    await readWhole();
    const ofIdle = seen.pages - PAGES;
    expect(ofIdle).to.be.within(1, PAGES / 2);
    request.destroy();
    await readWhole();
    expect(seen.pages - 2 * PAGES - ofIdle).to.be.at.most(1);
    stop();
  });
});
