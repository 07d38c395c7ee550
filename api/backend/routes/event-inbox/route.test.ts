import { expect } from 'chai';
import { eventHandlers } from '../../../../activities/outreach/handlers/index.ts';
import { handleBatch } from '../../../../activities/outreach/inbox-batch.ts';
import { startBackend, type TestBackend } from '../../../../test/support/backend.ts';

describe('the event inbox', () => {
  let backend: TestBackend;
  let token: string;
  let foreign: string;
  before(async () => {
    backend = await startBackend();
    await backend.install('a');
    await backend.install('b');
    token = await backend.token('a');
    foreign = await backend.token('b');
  });
  after(() => backend.close());

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
  const replay = (eventId: string, as = token) => backend.call('POST', `/event-inbox/${eventId}:replay`, { token: as });

  it('shows an event with its payload to the letter, and to its tenant alone', async () => {
    await store('shown');
    const answer = await backend.call('GET', '/event-inbox/shown', { token });
    expect(answer.status).to.equal(200);
    expect(answer.body).to.include({ eventId: 'shown', status: 'failed', error: 'was refused', payload });
    expect(answer.body).to.include({ occurredAt: '2026-01-01T00:00:00.000Z', serviceNumberId: 'sn-1' });
    expect((await backend.call('GET', '/event-inbox/shown', { token: foreign })).body.code).to.equal('not_found');
    expect((await backend.call('GET', '/event-inbox/ghost', { token })).body.code).to.equal('not_found');
  });

  it('replays a failed event: due at once, its partition woken, handled, and written down', async () => {
    await store('again');
    backend.flows.woken.length = 0;
    const answer = await replay('again');
    expect([answer.status, answer.body.status]).to.deep.equal([200, 'stored']);
    expect(answer.body).not.to.have.property('error');
    expect(backend.flows.woken).to.deep.equal([1]);
    const due = await row('again');
    expect(due.next_attempt_at).to.be.greaterThan(new Date('2026-01-01'));
    expect([due.processed_at, due.error]).to.deep.equal([null, null]);

    await handleBatch(backend.db, 1, eventHandlers, new Date());
    expect((await row('again')).status).to.equal('processed');
    const profile = await backend.db('contact_profile').where({ tenant_id: 'a', contact_id: 'c-1' }).first();
    expect(profile.display_name).to.equal('Zoë');
    const audit = await backend.db('audit_log').where({ object_type: 'event', object_id: 'again' });
    expect(audit).to.have.length(1);
    expect(audit[0]).to.deep.include({ actor: 'user-of-a', action: 'event.replay', after: { status: 'stored' } });
  });

  it('refuses what has not failed, in the order of refusals', async () => {
    await store('done', { status: 'processed', error: null });
    await store('open', { status: 'stored', error: null, processed_at: null });
    for (const id of ['done', 'open']) {
      const answer = await replay(id);
      expect([answer.status, answer.body.code]).to.deep.equal([409, 'invalid_state']);
    }
    await store('other');
    expect((await backend.call('POST', '/event-inbox/other:replay')).status).to.equal(401);
    const viewer = await backend.token('a', 'viewer', 'v');
    expect((await replay('other', viewer)).status).to.equal(403);
    expect((await replay('other', foreign)).status).to.equal(404);
    expect((await row('other')).status).to.equal('failed');
  });

  it('lets one of several replays at once do it', async () => {
    await store('raced');
    const answers = await Promise.all(Array.from({ length: 5 }, () => replay('raced')));
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409, 409, 409]);
    expect(await backend.db('audit_log').where({ object_id: 'raced' })).to.have.length(1);
  });
});
