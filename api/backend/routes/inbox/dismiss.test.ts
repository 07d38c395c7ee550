import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('dismissing events', () => {
  const backend = useTwoTenants({ contacts: 0 });

  const store = (eventId: string, more: object = {}) =>
    backend.db('event_inbox').insert({
      tenant_integration_id: 'ti-a',
      event_id: eventId,
      tenant_id: 'a',
      event_type: 'contact.followed',
      service_number_id: 'sn-1',
      partition: 1,
      payload: '{"contactId": "c-1", "serviceNumberId": "sn-1"}',
      occurred_at: '2026-01-01T00:00:00Z',
      status: 'failed',
      error: 'was refused',
      processed_at: new Date(),
      ...more,
    });
  const dismiss = (eventId: string, token = backend.operator, body: object = { reason: 'Known to the platform' }) =>
    backend.call('POST', `/event-inbox/${eventId}:dismiss`, { token, body });
  const statusOf = async (eventId: string) =>
    (await backend.db('event_inbox').where({ event_id: eventId }).first()).status;
  const failedCount = async () => (await backend.call('GET', '/overview')).body.attention.failedEvents.count;

  it('A18: dismisses a failed event with an audited reason; it needs nobody any more and can still be replayed', async () => {
    await store('old');
    await store('other');
    expect(await failedCount()).to.equal(2);
    const response = await dismiss('old');
    expect([response.status, response.body.status, response.body.error]).to.deep.equal([
      200,
      'dismissed',
      'was refused',
    ]);
    expect(await statusOf('old')).to.equal('dismissed');

    expect(await failedCount()).to.equal(1);
    const listed = await backend.call('GET', '/event-inbox?status=dismissed');
    expect(listed.body.items.map(({ eventId }: { eventId: string }) => eventId)).to.deep.equal(['old']);
    const ofType = await backend.call('GET', '/event-inbox?eventType=contact.followed');
    expect(ofType.body.items).to.have.length(2);
    const summary = await backend.call('GET', '/event-inbox:summary');
    expect(summary.body.kinds.map(({ count }: { count: number }) => count)).to.deep.equal([1]);

    const kind = { eventType: 'contact.followed' };
    const replayed = await backend.call('POST', '/event-inbox:replay', { body: kind });
    expect(replayed.body, 'a replay of the kind leaves it alone').to.deep.equal({ replayed: 1, left: 0 });
    expect(await statusOf('old')).to.equal('dismissed');
    expect((await backend.call('POST', '/event-inbox/old:replay')).body.status).to.equal('stored');
    const audit = await backend.db('audit_log').where({ object_id: 'old' }).orderBy('at');
    expect(audit.map(({ action, before, after }) => [action, before.status, after])).to.deep.equal([
      ['event.dismiss', 'failed', { status: 'dismissed', reason: 'Known to the platform' }],
      ['event.replay', 'dismissed', { status: 'stored' }],
    ]);
  });

  it('A18: dismisses only events that failed, for those who may write, and with a reason', async () => {
    for (const status of ['stored', 'processed', 'dismissed']) {
      await store(`is-${status}`, { status });
      const response = await dismiss(`is-${status}`);
      expect([response.status, response.body.code]).to.deep.equal([409, 'invalid_state']);
    }
    await store('kept');
    expect((await dismiss('kept', await backend.token('a', 'viewer', 'v'))).status).to.equal(403);
    expect((await dismiss('kept', backend.foreign)).status).to.equal(404);
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(1001) }])
      expect((await dismiss('kept', backend.operator, body)).body.code).to.equal('invalid_request');
    expect(await statusOf('kept')).to.equal('failed');
    const responses = await Promise.all(Array.from({ length: 5 }, () => dismiss('kept')));
    expect(responses.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409, 409, 409]);
  });
});
