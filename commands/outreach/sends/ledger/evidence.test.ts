import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { readTasks, seedSend, seedTenant, type TestSend } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { clickedTask } from '#db/outreach/sends/ledger/evidence.ts';
import { resolveAsNotSent, resolveAsSent } from './evidence.ts';

describe('what is found out about a sub-task in doubt', () => {
  const database = useDatabase('outreach');
  const now = new Date();

  async function subTask(fields: Record<string, unknown>): Promise<TestSend & { key: string }> {
    const { tenantId } = await seedTenant(database, testEncryption);
    const send = await seedSend(database, tenantId, { chunks: [1] });
    await database('broadcast_task').where({ campaign_id: send.campaignId }).update(fields);
    return { ...send, key: send.keys[0] ?? '' };
  }
  const sent = ({ tenantId, key }: { tenantId: string; key: string }) =>
    database.transaction((transaction) =>
      resolveAsSent(
        transaction,
        { tenantId, key, now },
        { taskId: 't-1', status: 'sending' as const, statusAssumed: true },
      ),
    );
  const notSent = ({ tenantId, key }: { tenantId: string; key: string }) =>
    database.transaction((transaction) =>
      resolveAsNotSent(transaction, { tenantId, key, now, submittedBefore: new Date(now.getTime() - 60_000) }),
    );
  const statusOf = async (send: TestSend) => (await readTasks(database, send))[0]?.status;

  it('makes it sent where nobody knew, or an operator had said that it was not', async () => {
    for (const fields of [{ status: 'unknown' }, { status: 'rejected', error_code: 'not_sent' }]) {
      const send = await subTask(fields);
      expect(await sent({ ...send, tenantId: 'another' }), fields.status).to.equal(null);
      expect(await sent(send), fields.status).to.equal(send.campaignId);
      expect(await statusOf(send)).to.equal('sending');
    }
  });

  it('changes nothing that is settled otherwise', async () => {
    for (const fields of [
      { status: 'cancelled' },
      { status: 'completed' },
      { status: 'rejected', error_code: 'invalid_postback' },
      { status: 'failed', sent: 0 },
    ]) {
      const send = await subTask(fields);
      expect(await sent(send), fields.status).to.equal(null);
      expect(await statusOf(send)).to.equal(fields.status);
    }
  });

  it('a click shows that a failed one was sent, once', async () => {
    const send = await subTask({ status: 'failed', sent: 0 });
    const clicked = () =>
      database.transaction((transaction) => resolveAsSent(transaction, { ...send, now }, clickedTask('t-1')));
    expect(await clicked()).to.equal(send.campaignId);
    await database('broadcast_task').where({ key: send.key }).update({ status: 'failed', sent: 0 });
    expect(await clicked()).to.equal(null);
  });

  it('an operator says that it was not sent, of the tenant’s own, and once no call can be under way', async () => {
    const at = (secondsAgo: number) => new Date(now.getTime() - secondsAgo * 1000);
    const underWay = await subTask({ status: 'unknown', submitting_since: at(59) });
    expect(await notSent(underWay)).to.equal(null);
    expect(await statusOf(underWay)).to.equal('unknown');
    const over = await subTask({ status: 'unknown', submitting_since: at(60) });
    expect(await notSent({ ...over, tenantId: 'another' })).to.equal(null);
    expect(await statusOf(over)).to.equal('unknown');
    expect(await notSent(over)).to.equal(over.campaignId);
    expect(await statusOf(over)).to.equal('rejected');
  });
});
