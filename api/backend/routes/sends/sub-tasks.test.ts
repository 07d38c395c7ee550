import { expect } from 'chai';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('sub-tasks and results', () => {
  const backend = useTwoTenants({ contacts: 1500 });

  const sent = async (count = 2): Promise<string> => {
    const contactIds = Array.from({ length: count }, (_, n) => contactId(n + 1));
    const id = await backend.draft({ audience: { type: 'contacts', contactIds } });
    await backend.act(id, 'send');
    return id;
  };
  const submitted = async (id: string, status: string, secondsAgo: number): Promise<string> => {
    const since = new Date(Date.now() - secondsAgo * 1000);
    await backend.db('broadcast_task').where({ campaign_id: id }).update({ status, submitting_since: since });
    return (await backend.db('broadcast_task').where({ campaign_id: id }).first()).key;
  };
  const resolve = (id: string, key: string, body: object) =>
    backend.call('POST', `/campaigns/${id}/tasks/${key}:resolve`, { body });

  it('finds a campaign and its sub-task by the key or the id at the platform, and only for its tenant', async () => {
    const [id, other] = [await sent(), await sent()];
    const task = await backend.db('broadcast_task').where({ campaign_id: id }).first();
    await backend.db('broadcast_task').where({ key: task.key }).update({ task_id: 'p-sought' });
    for (const sought of ['p-sought', task.key]) {
      const found = async (path: string, token = backend.operator) =>
        (await backend.call('GET', `${path}?task=${sought}`, { token })).body.items;
      expect((await found('/campaigns')).map((campaign: { id: string }) => campaign.id)).to.deep.equal([id]);
      const tasks = await found(`/campaigns/${id}/tasks`);
      expect(tasks.map(({ key }: { key: string }) => key)).to.deep.equal([task.key]);
      expect(await found(`/campaigns/${other}/tasks`)).to.deep.equal([]);
      expect(await found('/campaigns', backend.foreign)).to.deep.equal([]);
    }
    expect((await backend.call('GET', '/campaigns?task=p-sough')).body.items).to.deep.equal([]);
  });

  it('accepts not_sent starting 20 s after the submission', async () => {
    const id = await sent();
    const early = await resolve(id, await submitted(id, 'unknown', 1), { outcome: 'not_sent' });
    expect([early.status, early.body.code]).to.deep.equal([409, 'conflict']);
    const key = await submitted(id, 'unknown', 21);
    const [listed] = (await backend.call('GET', `/campaigns/${id}/tasks`)).body.items;
    const age = Date.now() - Date.parse(listed.submittedAt);
    expect(age, 'shows when it was submitted').to.be.within(21_000, 120_000);
    const response = await resolve(id, key, { outcome: 'not_sent' });
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.include({ key, status: 'rejected' });
    expect(response.body.error.code).to.equal('not_sent');
    expect((await backend.call('GET', `/campaigns/${id}`)).body.status).to.equal('failed');
    expect((await resolve(id, key, { outcome: 'not_sent' })).body.code).to.equal('invalid_state');
    expect(await backend.db('audit_log').where({ object_id: key, action: 'sub_task.resolve' })).to.have.length(1);
  });

  it('accepts sent for a task that the platform knows and that belongs to no other sub-task', async () => {
    const id = await sent();
    const key = await submitted(id, 'unknown', 1);
    expect((await resolve(id, key, { outcome: 'sent', taskId: 'nope' })).status).to.equal(422);
    backend.platformTasks.set('p-1', { taskId: 'p-1', status: 'sending' });
    const response = await resolve(id, key, { outcome: 'sent', taskId: 'p-1' });
    expect(response.body).to.deep.include({ key, taskId: 'p-1', status: 'sending' });
    expect(backend.flows.polled).to.include(id);
    const other = await sent();
    const taken = await resolve(other, await submitted(other, 'unknown', 1), { outcome: 'sent', taskId: 'p-1' });
    expect([taken.status, taken.body.code]).to.deep.equal([409, 'conflict']);
    const open = await sent();
    const pending = (await backend.db('broadcast_task').where({ campaign_id: open }).first()).key;
    expect((await resolve(open, pending, { outcome: 'not_sent' })).body.code).to.equal('invalid_state');
    expect((await resolve(open, key, { outcome: 'not_sent' })).status).to.equal(404);
    expect((await resolve(open, pending, { outcome: 'maybe' })).status).to.equal(400);
  });

  it('A4: stores the status that the platform reports, and cancels a scheduled task found that way', async () => {
    const id = await sent();
    const key = await submitted(id, 'unknown', 21);
    backend.platformTasks.set('p-2', { taskId: 'p-2', status: 'scheduled' });
    const response = await resolve(id, key, { outcome: 'sent', taskId: 'p-2' });
    expect(response.body).to.deep.include({ key, taskId: 'p-2', status: 'scheduled' });
    expect((await backend.act(id, 'cancel')).status).to.equal(200);
    expect((await backend.call('GET', `/campaigns/${id}`)).body).to.include({ status: 'sending', cancelOutcome: null });
    const [row] = await backend.db('broadcast_task').where({ campaign_id: id });
    expect(row.nextPollAt.getTime()).to.be.at.most(Date.now());
    const done = await sent();
    backend.platformTasks.set('p-3', {
      taskId: 'p-3',
      status: 'completed',
      recipientCount: 2,
      summary: { sent: 2, delivered: 1, failed: 1 },
    });
    const ended = await resolve(done, await submitted(done, 'unknown', 21), { outcome: 'sent', taskId: 'p-3' });
    expect(ended.body).to.deep.include({
      status: 'completed',
      taskId: 'p-3',
      recipientCount: 2,
      summary: { sent: 2, delivered: 1, failed: 1, read: null },
    });
    expect((await backend.act(done, 'cancel')).status).to.equal(409);
    expect((await backend.call('GET', `/campaigns/${done}`)).body.cancelOutcome).to.equal(null);
  });

  it('A2: resolves a task that the platform does not know any more like any other', async () => {
    const lost = async () => {
      const id = await sent();
      const key = await submitted(id, 'unknown', 1);
      const change = { submitting_since: null, error_code: 'task_not_found', task_id: `lost-${key}` };
      await backend.db('broadcast_task').where({ key }).update(change);
      return { id, key };
    };
    const one = await lost();
    const sentAs = (taskId: string) => resolve(one.id, one.key, { outcome: 'sent', taskId });
    expect((await sentAs(`lost-${one.key}`)).status).to.equal(422);
    backend.platformTasks.set('moved', { taskId: 'moved', status: 'sending' });
    expect((await sentAs('moved')).body).to.deep.include({ status: 'sending', taskId: 'moved' });
    const other = await lost();
    const rejected = await resolve(other.id, other.key, { outcome: 'not_sent' });
    expect(rejected.body).to.deep.include({ status: 'rejected', taskId: `lost-${other.key}` });
  });

  it('counts every contact in its newest sub-task', async () => {
    const id = await sent(1500);
    const dispatch = await backend.db('dispatch').where({ campaignId: id }).first();
    await backend.db('dispatch').insert({
      ...dispatch,
      dispatchId: 'retry-1',
      number: 2,
      retryOf: dispatch.dispatchId,
      audienceCount: 500,
      source: null,
      excluded: JSON.stringify(dispatch.excluded),
      frozenExcluded: JSON.stringify(dispatch.frozenExcluded),
    });
    const last = await backend.db('broadcast_task').where({ campaignId: id, chunk: 1 }).first();
    await backend
      .db('broadcast_task')
      .insert({ ...last, key: 'retry-key', dispatchId: 'retry-1', chunk: 0, sent: 7, status: 'completed' });
    await backend
      .db('broadcast_task')
      .where({ key: last.key })
      .update({ status: 'failed', failed: 500, supersededBy: 'retry-1' });
    const progress = (await backend.call('GET', `/campaigns/${id}/progress`)).body;
    expect(progress.audienceCount).to.equal(1500);
    expect(progress.subTasks).to.deep.equal({
      pending: { tasks: 1, contacts: 1000 },
      completed: { tasks: 1, contacts: 500 },
    });
    expect(progress.summary).to.deep.equal({ sent: 7, delivered: 0, failed: 0, read: 0 });
    const page = await backend.call('GET', `/campaigns/${id}/tasks?limit=2`);
    const rest = await backend.call('GET', `/campaigns/${id}/tasks?limit=2&cursor=${page.body.nextCursor}`);
    expect([...page.body.items, ...rest.body.items].map(({ status }) => status)).to.deep.equal([
      'pending',
      'failed',
      'completed',
    ]);
    const failed = await backend.call('GET', `/campaigns/${id}/tasks?status=failed`);
    expect(failed.body.items).to.have.length(1);
  });

  it('returns clicks by button, by event and by hour, conversations and conversions', async () => {
    const id = await sent();
    const click = (contact: string, notice: string, at: string, more: object = {}) => ({
      tenant_id: 'a',
      task_id: `task-${id}`,
      contact_id: contact,
      notice_id: notice,
      action_index: 0,
      message_index: 0,
      campaign_id: id,
      biz_event_code: 'SPRING',
      event_id: `${contact}${notice}`,
      clicked_at: at,
      ...more,
    });
    await backend
      .db('click_attribution')
      .insert([
        click('c1', 'n1', '2026-01-01T10:00:00.000001Z', { repeats: 2 }),
        click('c1', 'n2', '2026-01-01T10:59:59Z', { message_index: null, biz_event_code: null }),
        click('c2', 'n1', '2026-01-01T12:00:00Z', { action_index: 3, biz_event_code: 'OTHER' }),
      ]);
    await backend.db('conversation').insert([
      {
        tenant_id: 'a',
        session_id: `s1${id}`,
        campaign_id: id,
        contact_id: 'c1',
        opened_at: new Date(),
        closed_at: new Date(),
      },
      { tenant_id: 'a', session_id: `s2${id}`, campaign_id: id, contact_id: 'c2', opened_at: new Date() },
    ]);
    const tag = await backend.call('POST', '/tags', {
      body: { name: `T${id}`, serviceNumberId: 'sn-1', kind: 'permanent' },
    });
    await backend
      .db('tag_assignment')
      .insert({ tenant_id: 'a', tag_id: tag.body.tagId, contact_id: 'c1', source_campaign_id: id });
    const { body } = await backend.call('GET', `/campaigns/${id}/results`);
    expect(body.clicks).to.deep.equal({
      total: 3,
      repeats: 2,
      uniqueContacts: 2,
      byAction: [
        { messageIndex: 0, actionIndex: 0, label: 'Yes', clicks: 2, uniqueContacts: 1 },
        { messageIndex: 0, actionIndex: 3, label: '', clicks: 1, uniqueContacts: 1 },
      ],
      byBizEventCode: [
        { bizEventCode: 'OTHER', clicks: 1, uniqueContacts: 1 },
        { bizEventCode: 'SPRING', clicks: 1, uniqueContacts: 1 },
      ],
      series: [
        { at: '2026-01-01T10:00:00.000Z', clicks: 2 },
        { at: '2026-01-01T12:00:00.000Z', clicks: 1 },
      ],
    });
    expect(body.conversations).to.deep.equal({ opened: 2, closed: 1 });
    expect(body.tagged).to.deep.equal([{ tagId: tag.body.tagId, contacts: 1 }]);
    expect((await backend.call('GET', `/campaigns/${id}`)).body.clickedContacts).to.equal(2);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await backend.call(
        'GET',
        `/campaigns/${id}/clicks?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(
        ...page.body.items.map((item: { noticeId: string; contactId: string }) => item.contactId + item.noticeId),
      );
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    expect(seen).to.deep.equal(['c2n1', 'c1n2', 'c1n1']);
  });
});
