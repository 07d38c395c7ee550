import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { readTasks, seedSend, seedTenant } from '#test/support/outreach/rows.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { claimApproved } from './approval/claim-approved.ts';
import { claimSubTask } from '#db/outreach/sends/ledger/ledger.ts';
import { recordPostponed } from './ledger/outcomes.ts';

describe('postponing a sub-task', () => {
  const database = useDatabase('outreach');

  /** What postponing the first sub-task of a send of so many costs. */
  async function costOf(subTasks: number) {
    const { tenantId } = await seedTenant(database, testEncryption);
    const send = await seedSend(database, tenantId, { chunks: Array.from({ length: subTasks }, () => 1) });
    const { campaignId, dispatchId } = send;
    await database.raw('analyze broadcast_task');
    const now = new Date();
    const claimed = await claimApproved(database, claimSubTask, {
      tenantId,
      dispatchId,
      from: 0,
      to: 99,
      owner: 'me',
      now,
    });
    const submission = { tenantId, campaignId, key: claimed?.key ?? '', owner: 'me', now };
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => void statements.push(sql);
    const read = await rowsRead(database, ['broadcast_task', 'campaign'], async (transaction) => {
      transaction.on('query', note);
      const reason = { code: 'rate_limited', message: 'later' };
      await recordPostponed(transaction, submission, {
        ...reason,
        failure: null,
        nextAttemptAt: new Date(now.getTime() + 60_000),
      });
      transaction.off('query', note);
    });
    expect((await readTasks(database, send))[0]).to.include({ status: 'pending', errorCode: 'rate_limited' });
    return { statements: statements.length, fetched: read.fetched, scanned: read.scanned };
  }

  it('A10, finding 8: costs one statement, which reads no more rows of a large send than of a small one', async () => {
    const small = await costOf(500);
    const large = await costOf(5000);
    expect(large.statements).to.be.at.most(1);
    expect(large.scanned + large.fetched).to.be.at.most(Math.min(small.scanned + small.fetched, 4));
  });
});
