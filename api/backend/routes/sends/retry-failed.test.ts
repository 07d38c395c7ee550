import { expect } from 'chai';
import { Problem } from '#domain/api/problem.ts';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('retrying what failed', () => {
  const backend = useTwoTenants({ contacts: 3500 });

  const everyone = Array.from({ length: 3500 }, (_, n) => contactId(n + 1));
  const key = { headers: { 'Idempotency-Key': 'k' } };
  const sent = async (contactIds = everyone): Promise<string> => {
    const id = await backend.draft({ audience: { type: 'contacts', contactIds } });
    await backend.act(id, 'send', key);
    return id;
  };
  const progress = async (id: string) => (await backend.call('GET', `/campaigns/${id}/progress`)).body;
  const settle = async (id: string, number: number, statuses: Record<number, object>, campaign: string) => {
    const dispatch = await backend.db('dispatch').where({ campaign_id: id, number }).first();
    for (const [chunk, change] of Object.entries(statuses))
      await backend.db('broadcast_task').where({ dispatch_id: dispatch.dispatchId, chunk }).update(change);
    await backend.db('campaign').where({ campaign_id: id }).update({ status: campaign });
    return dispatch;
  };
  const recipients = async (dispatchId: string) =>
    (await backend.db('dispatch_recipient').where({ dispatch_id: dispatchId })).map((row) => row.contactId).toSorted();

  it('sends exactly to the contacts of rejected sub-tasks and of failed ones with nothing sent, linked to the first send', async () => {
    const id = await sent();
    const statuses = {
      0: { status: 'completed', sent: 1000 },
      1: { status: 'rejected' },
      2: { status: 'failed', sent: 1 },
      3: { status: 'failed', sent: 0, failed: 500 },
    };
    const first = await settle(id, 1, statuses, 'partially_failed');
    const response = await backend.act(id, 'retry-failed');
    expect([response.status, response.body.status, response.body.audienceCount]).to.deep.equal([202, 'sending', 3500]);
    const second = await backend.db('dispatch').where({ campaign_id: id, number: 2 }).first();
    expect(second).to.include({ retryOf: first.dispatchId, audienceCount: 1500, scheduledAt: null });
    expect(await recipients(second.dispatchId)).to.deep.equal([...everyone.slice(1000, 2000), ...everyone.slice(3000)]);
    expect(backend.flows.sends.at(-1)).to.deep.equal({
      tenantId: 'a',
      campaignId: id,
      dispatchId: second.dispatchId,
      number: 2,
    });
    expect(await progress(id)).to.deep.include({
      audienceCount: 3500,
      subTasks: {
        completed: { tasks: 1, contacts: 1000 },
        failed: { tasks: 1, contacts: 1000 },
        pending: { tasks: 2, contacts: 1500 },
      },
      summary: { sent: 1001, delivered: 0, failed: 0, read: 0 },
    });
    expect(await backend.db('audit_log').where({ object_id: id, action: 'campaign.retry' })).to.have.length(1);
    // The replaced sub-tasks are still visible, and are not retried again.
    expect((await backend.call('GET', `/campaigns/${id}/tasks`)).body.items).to.have.length(6);
    expect((await backend.act(id, 'retry-failed')).body.code).to.equal('invalid_state');

    await settle(id, 2, { 0: { status: 'rejected' }, 1: { status: 'completed', sent: 500 } }, 'partially_failed');
    await backend.act(id, 'retry-failed');
    const third = await backend.db('dispatch').where({ campaign_id: id, number: 3 }).first();
    expect(third.retryOf).to.equal(first.dispatchId);
    const again = [...everyone.slice(1000, 2000), ...everyone.slice(3000)].slice(0, 1000);
    expect(await recipients(third.dispatchId)).to.deep.equal(again);
    const { subTasks } = await progress(id);
    const contacts = Object.values(subTasks as Record<string, { contacts: number }>).map((one) => one.contacts);
    expect(contacts.reduce((sum, count) => sum + count)).to.equal(3500);
  });

  it('A1: takes neither a failed sub-task without reported counts, nor offers to', async () => {
    const id = await sent(everyone.slice(0, 2));
    await settle(id, 1, { 0: { status: 'failed' } }, 'failed');
    const [task] = (await backend.call('GET', `/campaigns/${id}/tasks`)).body.items;
    expect(task.summary).to.deep.equal({ sent: null, delivered: null, failed: null, read: null });
    expect((await progress(id)).summary).to.deep.equal({ sent: 0, delivered: 0, failed: 0, read: 0 });
    const retry = async () => (await backend.call('GET', `/campaigns/${id}/actions`)).body.retry;
    expect(await retry()).to.equal(null);
    expect((await backend.act(id, 'retry-failed')).body.code).to.equal('invalid_state');
    await settle(id, 1, { 0: { sent: 0 } }, 'failed');
    expect(await retry()).to.equal(2);
    expect((await backend.act(id, 'retry-failed')).status).to.equal(202);
  });

  it('A3: asks the platform first about every task it knows, and sends nothing again that was sent after all', async () => {
    const id = await sent(everyone.slice(0, 2500));
    await settle(
      id,
      1,
      {
        0: { status: 'failed', sent: 0, task_id: 'sent-late' },
        1: { status: 'rejected', error_code: 'not_sent', task_id: 'gone' },
        2: { status: 'failed', sent: 0, task_id: 'failed-still' },
      },
      'failed',
    );
    const summary = { sent: 900, delivered: 900, failed: 0, read: 0 };
    backend.platformTasks.set('sent-late', { taskId: 'sent-late', status: 'completed', summary });
    backend.platformTasks.set('failed-still', { taskId: 'failed-still', status: 'failed', summary: null });
    expect((await backend.act(id, 'retry-failed')).status).to.equal(202);
    const retry = await backend.db('dispatch').where({ campaign_id: id, number: 2 }).first();
    expect(await recipients(retry.dispatchId)).to.deep.equal(everyone.slice(1000, 2500));
    expect((await progress(id)).subTasks).to.deep.equal({
      completed: { tasks: 1, contacts: 1000 },
      pending: { tasks: 2, contacts: 1500 },
    });
    expect(backend.flows.polled).to.include(id);
  });

  it('A3: sends nothing again while the platform cannot be asked', async () => {
    const id = await sent(everyone.slice(0, 2));
    await settle(id, 1, { 0: { status: 'failed', sent: 0, task_id: 'silent' } }, 'failed');
    backend.platformTasks.set('silent', new Problem('unavailable', 'no response'));
    const response = await backend.act(id, 'retry-failed');
    expect([response.status, response.body.code]).to.deep.equal([503, 'unavailable']);
    expect(await backend.db('dispatch').where({ campaign_id: id })).to.have.length(1);
    backend.platformTasks.delete('silent');
    expect((await backend.act(id, 'retry-failed')).status).to.equal(202);
  });

  it('sends once for concurrent calls with one key', async () => {
    const id = await sent(everyone.slice(0, 2));
    await settle(id, 1, { 0: { status: 'rejected' } }, 'failed');
    // The key of the send itself is a different one.
    const responses = await Promise.all([1, 2, 3, 4].map(() => backend.act(id, 'retry-failed', key)));
    expect(responses.map(({ status }) => status)).to.deep.equal([202, 202, 202, 202]);
    expect(await backend.db('dispatch').where({ campaign_id: id })).to.have.length(2);
    await settle(id, 2, { 0: { status: 'failed', sent: 0 } }, 'failed');
    expect((await backend.act(id, 'retry-failed', key)).status).to.equal(202);
    expect(await backend.db('dispatch').where({ campaign_id: id })).to.have.length(2);
    const unkeyed = await Promise.all([1, 2, 3].map(() => backend.act(id, 'retry-failed')));
    expect(unkeyed.map(({ status }) => status).toSorted()).to.deep.equal([202, 409, 409]);
  });

  it('rejects sends without anything to retry, and people without permission', async () => {
    const draft = await backend.draft();
    expect((await backend.act(draft, 'retry-failed')).body.code).to.equal('invalid_state');
    const id = await sent(everyone.slice(0, 2));
    expect((await backend.act(id, 'retry-failed')).status).to.equal(409);
    for (const [status, campaign] of Object.entries({
      completed: 'completed',
      rejected: 'closed',
      failed: 'cancelled',
    })) {
      await settle(id, 1, { 0: { status } }, campaign);
      expect((await backend.act(id, 'retry-failed')).body.code, campaign).to.equal('invalid_state');
    }
    expect((await backend.act(id, 'retry-failed', { token: backend.foreign })).status).to.equal(404);
    const viewer = await backend.token('a', 'viewer', 'v');
    expect((await backend.act(id, 'retry-failed', { token: viewer })).status).to.equal(403);
  });
});
