import { expect } from 'chai';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { handleBatch } from '#activities/outreach/inbox/batch.ts';
import { replayKind } from '#commands/outreach/inbox/replay-kind.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('the event inbox', () => {
  const backend = useTwoTenants({ contacts: 0 });

  const payload = '{"contactId": "c-1", "serviceNumberId": "sn-1", "displayName": "Zoë", "extra": 1e999}';
  const store = (eventId: string, more: object = {}) =>
    backend.db('event_inbox').insert({
      tenant_integration_id: 'ti-a',
      event_id: eventId,
      tenant_id: 'a',
      event_type: 'contact.followed',
      service_number_id: 'sn-1',
      partition: 1,
      payload,
      occurred_at: '2026-01-01T00:00:00Z',
      status: 'failed',
      error: 'was refused',
      processed_at: new Date(),
      next_attempt_at: '2020-01-01T00:00:00Z',
      ...more,
    });
  const row = async (eventId: string) => await backend.db('event_inbox').where({ event_id: eventId }).first();
  const replay = (eventId: string, as = backend.operator) =>
    backend.call('POST', `/event-inbox/${eventId}:replay`, { token: as });

  it('shows an event with its exact payload, and only to its tenant', async () => {
    await store('shown');
    const response = await backend.call('GET', '/event-inbox/shown');
    expect(response.status).to.equal(200);
    expect(response.body).to.include({ eventId: 'shown', status: 'failed', error: 'was refused', payload });
    expect(response.body).to.include({ occurredAt: '2026-01-01T00:00:00.000Z', serviceNumberId: 'sn-1' });
    expect((await backend.call('GET', '/event-inbox/shown', { token: backend.foreign })).body.code).to.equal(
      'not_found',
    );
    expect((await backend.call('GET', '/event-inbox/ghost')).body.code).to.equal('not_found');
  });

  it('replays a failed event: due at once, its partition woken, handled, and audited', async () => {
    await store('again');
    backend.flows.woken.length = 0;
    const response = await replay('again');
    expect([response.status, response.body.status]).to.deep.equal([200, 'stored']);
    expect(response.body).not.to.have.property('error');
    expect(backend.flows.woken).to.deep.equal([1]);
    const due = await row('again');
    expect(due.nextAttemptAt).to.be.greaterThan(new Date('2026-01-01'));
    expect([due.processedAt, due.error]).to.deep.equal([null, null]);

    await handleBatch(backend.db, 1, eventHandlers, new Date());
    expect((await row('again')).status).to.equal('processed');
    const profile = await backend.db('contact_profile').where({ tenant_id: 'a', contact_id: 'c-1' }).first();
    expect(profile.displayName).to.equal('Zoë');
    const audit = await backend.db('audit_log').where({ object_type: 'event', object_id: 'again' });
    expect(audit).to.have.length(1);
    expect(audit[0]).to.deep.include({ actor: 'user-of-a', action: 'event.replay', after: { status: 'stored' } });
  });

  it('finds an event by its id, and only for its tenant', async () => {
    await store('sought');
    await store('sought-2');
    const idsOf = async (query: string, token = backend.operator) => {
      const { body } = await backend.call('GET', `/event-inbox?${query}`, { token });
      return body.items.map(({ eventId }: { eventId: string }) => eventId);
    };
    expect(await idsOf('eventId=sought')).to.deep.equal(['sought']);
    expect(await idsOf('eventId=sought&status=failed')).to.deep.equal(['sought']);
    expect(await idsOf('eventId=sought&status=processed')).to.deep.equal([]);
    expect(await idsOf('eventId=sough')).to.deep.equal([]);
    expect(await idsOf('eventId=sought', backend.foreign)).to.deep.equal([]);
  });

  it('rejects events that have not failed, with errors in order', async () => {
    await store('done', { status: 'processed', error: null });
    await store('open', { status: 'stored', error: null, processed_at: null });
    for (const id of ['done', 'open']) {
      const response = await replay(id);
      expect([response.status, response.body.code]).to.deep.equal([409, 'invalid_state']);
    }
    await store('other');
    expect((await backend.call('POST', '/event-inbox/other:replay', { token: null })).status).to.equal(401);
    const viewer = await backend.token('a', 'viewer', 'v');
    expect((await replay('other', viewer)).status).to.equal(403);
    expect((await replay('other', backend.foreign)).status).to.equal(404);
    expect((await row('other')).status).to.equal('failed');
  });

  it('counts waiting and failed events by kind, and lists each kind', async () => {
    await backend.install('c');
    const theirs = await backend.token('c', 'tenant_admin', 'cara');
    const ofC = { tenant_id: 'c', tenant_integration_id: 'ti-c' };
    const waits = { ...ofC, status: 'stored', error: null, processed_at: null };
    await store('w-1', { ...waits, event_type: 'notice.clicked', waiting_for: 'task:t-1', partition: 9 });
    await store('w-2', { ...waits, event_type: 'notice.clicked', waiting_for: 'task:t-2', partition: 9 });
    await store('w-3', { ...waits, event_type: 'contact.updated', partition: 9 });
    const late = (id: string) => ({
      ...ofC,
      event_type: 'notice.clicked',
      error: `There was no task:${id} within 24 hours`,
    });
    await store('f-1', late('t:3'));
    await store('f-2', late('t-4'));
    await store('f-3', { ...ofC, error: 'was refused' });
    await store('f-4', { ...ofC, status: 'processed', error: null });

    const summary = await backend.call('GET', '/event-inbox:summary', { token: theirs });
    const kinds = summary.body.kinds.map((kind: Record<string, unknown>) => [
      kind['status'],
      kind['eventType'],
      kind['waitingFor'] ?? kind['reason'],
      kind['count'],
    ]);
    expect(kinds).to.have.deep.members([
      ['stored', 'notice.clicked', 'task', 2],
      ['stored', 'contact.updated', null, 1],
      ['failed', 'notice.clicked', 'There was no task within 24 hours', 2],
      ['failed', 'contact.followed', 'was refused', 1],
    ]);
    const ids = async (query: string) => {
      const { body } = await backend.call('GET', `/event-inbox?${query}`, { token: theirs });
      return body.items.map(({ eventId }: { eventId: string }) => eventId).toSorted();
    };
    expect(await ids('waiting=true')).to.deep.equal(['w-1', 'w-2']);
    expect(await ids('waiting=false')).to.deep.equal(['w-3']);
    expect(await ids('status=failed&eventType=notice.clicked')).to.deep.equal(['f-1', 'f-2']);
    const reason = encodeURIComponent('There was no task within 24 hours');
    expect(await ids(`reason=${reason}`)).to.deep.equal(['f-1', 'f-2']);
  });

  it('replays all of a kind, wakes each partition once, and writes one audit entry', async () => {
    await backend.install('d');
    const theirs = await backend.token('d', 'tenant_admin', 'dora');
    const ofD = { tenant_id: 'd', tenant_integration_id: 'ti-d', event_type: 'session.closed' };
    const lost = 'There was no session:x within 24 hours';
    for (const [id, partition] of Object.entries({ 'k-1': 1, 'k-2': 2, 'k-3': 2 }))
      await store(id, { ...ofD, partition, error: lost });
    await store('k-other', { ...ofD, error: 'was refused' });
    await store('k-gone', { ...ofD, error: lost, payload: '' });
    backend.flows.woken.length = 0;
    const kind = { eventType: 'session.closed', reason: 'There was no session within 24 hours' };
    const call = (as: string) => backend.call('POST', '/event-inbox:replay', { token: as, body: kind });
    expect((await call(await backend.token('d', 'viewer', 'v'))).status).to.equal(403);
    expect((await call(backend.foreign)).body).to.deep.equal({ replayed: 0, left: 0 });
    expect((await call(theirs)).body).to.deep.equal({ replayed: 3, left: 0 });
    expect(backend.flows.woken.toSorted()).to.deep.equal([1, 2]);
    const rows = await backend.db('event_inbox').where({ tenant_id: 'd' }).orderBy('event_id');
    expect(rows.map(({ eventId, status }) => `${eventId} ${status}`)).to.deep.equal([
      'k-1 stored',
      'k-2 stored',
      'k-3 stored',
      'k-gone failed',
      'k-other failed',
    ]);
    const audit = await backend.db('audit_log').where({ object_type: 'event', object_id: 'session.closed' });
    expect(audit.map(({ action, after }) => [action, after.events])).to.deep.equal([['event.replay_kind', 3]]);
    expect((await call(theirs)).body).to.deep.equal({ replayed: 0, left: 0 });
  });

  it('replays very many in transactions of 5,000, and not a second time those that fail meanwhile', async () => {
    await backend.install('e');
    const theirs = await backend.token('e', 'tenant_admin', 'erin');
    const failed = (prefix: string, count: number, at: string) =>
      backend.db.raw(
        `insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, partition, payload, occurred_at,
           status, error, processed_at)
         select 'ti-e', '${prefix}-' || n, 'e', 'session.closed', n % 2, '{}', now(), 'failed', 'was refused', ${at}
         from generate_series(1, ${count}) n`,
      );
    await failed('old', 5001, 'now()');
    await failed('again', 2, `now() + interval '1 hour'`);
    const body = { eventType: 'session.closed' };
    const response = await backend.call('POST', '/event-inbox:replay', { token: theirs, body });
    expect(response.body).to.deep.equal({ replayed: 5001, left: 0 });
    const audit = await backend.db('audit_log').where({ tenant_id: 'e', action: 'event.replay_kind' }).orderBy('at');
    expect(audit.map(({ after }) => after.events)).to.deep.equal([5000, 1]);
    const left: { eventId: string }[] = await backend.db('event_inbox').where({ tenantId: 'e', status: 'failed' });
    expect(left.map(({ eventId }) => eventId).toSorted()).to.deep.equal(['again-1', 'again-2']);
  });

  it('reports how many are left if one call does not finish', async () => {
    await backend.install('f');
    await backend.db.raw(
      `insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, partition, payload, occurred_at,
         status, error, processed_at)
       select 'ti-f', 'many-' || n, 'f', 'session.closed', 0, '{}', now(), 'failed', 'was refused', now()
       from generate_series(1, 5002) n`,
    );
    await store('many-gone', {
      tenant_id: 'f',
      tenant_integration_id: 'ti-f',
      event_type: 'session.closed',
      payload: '',
    });
    const author = { tenantId: 'f', userId: 'fay', requestId: null };
    const kind = { eventType: 'session.closed' };
    const first = await replayKind(backend.db, author, kind, { forMs: 0 });
    expect(first).to.include({ replayed: 5000, left: 2 });
    expect(await replayKind(backend.db, author, kind, { forMs: 0 })).to.include({ replayed: 2, left: 0 });
  });

  it('shows which contact an event is about, and that its payload was deleted', async () => {
    await store('gone', { payload: '', error: 'was refused' });
    const gone = await backend.call('GET', '/event-inbox/gone');
    expect(gone.body).to.include({ payload: null, contactId: null, campaignId: null });
    expect((await replay('gone')).body.code).to.equal('invalid_state');
    expect((await backend.call('GET', '/event-inbox/shown')).body).to.include({
      contactId: 'c-1',
      serviceNumberId: 'sn-1',
      campaignId: null,
    });
    const made = await backend.call('POST', '/campaigns', {
      body: {
        name: 'Told of',
        serviceNumberId: 'sn-1',
        messages: [{ type: 'text', text: 'Hello' }],
        audience: { type: 'contacts', contactIds: ['c-1'] },
        schedule: { type: 'immediate' },
      },
    });
    await backend.db('conversation').insert({
      tenant_id: 'a',
      session_id: 's-1',
      campaign_id: made.body.id,
      contact_id: 'c-7',
      opened_at: new Date(),
    });
    await store('closed', { event_type: 'session.closed', payload: '{"sessionId": "s-1"}' });
    const closed = await backend.call('GET', '/event-inbox/closed');
    expect(closed.body).to.include({ campaignId: made.body.id, contactId: 'c-7' });
  });

  it('shows whom a large event is about, as the list does where its handling found that out', async () => {
    const large = JSON.stringify({
      contactId: 'c-1',
      serviceNumberId: 'sn-1',
      displayName: 'Zoë',
      extra: 'x'.repeat(5000),
    });
    await store('large', { payload: large });
    const { body } = await backend.call('GET', '/event-inbox/large');
    expect(body).to.include({ payload: large, contactId: 'c-1' });
    await backend.db('event_inbox').where({ event_id: 'large' }).del();
  });

  it('lists whom and what each event is about, as the event itself says, and finds one by its id', async () => {
    const listed = (await backend.call('GET', '/event-inbox?limit=200')).body.items as { eventId: string }[];
    expect(listed.length).to.be.above(2);
    const about = ({ contactId, campaignId, serviceNumberId }: Record<string, unknown>) => ({
      contactId,
      campaignId,
      serviceNumberId,
    });
    for (const item of listed) {
      const { body } = await backend.call('GET', `/event-inbox/${item.eventId}`);
      expect(about({ ...item }), item.eventId).to.deep.equal(about(body));
    }
    const closed = (await backend.call('GET', '/event-inbox?eventId=closed')).body.items;
    expect(closed).to.have.length(1);
    expect(closed[0]).to.include({ eventId: 'closed', contactId: 'c-7', campaignName: 'Told of' });
    const failed = await backend.call('GET', '/event-inbox?eventId=closed&status=failed');
    expect(failed.body.items.length).to.equal(closed[0].status === 'failed' ? 1 : 0);
    expect((await backend.call('GET', '/event-inbox?eventId=clos')).body.items).to.deep.equal([]);
  });

  it('lets only one of several concurrent replays succeed', async () => {
    await store('raced');
    const responses = await Promise.all(Array.from({ length: 5 }, () => replay('raced')));
    expect(responses.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409, 409, 409]);
    expect(await backend.db('audit_log').where({ object_id: 'raced' })).to.have.length(1);
  });
});
