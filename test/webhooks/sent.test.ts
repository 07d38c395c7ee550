import { expect } from 'chai';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import { cancelPending } from '#db/outreach/sends/editing/settle.ts';
import { useDatabase } from '../support/fixtures/database.ts';
import { seedSend, seedTenant, type TestSend } from '../support/outreach/rows.ts';
import { rowsRead } from '../support/servers/rows-read.ts';
import { testEncryption } from '../support/services/outreach-flows.ts';

const SUB_TASKS = 2000;

describe('what a send of many sub-tasks reads to tell that it is out', () => {
  const database = useDatabase('outreach');
  let tenantId: string;
  before(async () => {
    ({ tenantId } = await seedTenant(database, testEncryption));
    await rows(
      database,
      `insert into webhook (tenant_id, url, event_types, sealed_secret)
       values (:tenantId, 'https://receiver.example/hook', '{campaign.sent}', 'sealed')`,
      { tenantId },
    );
  });

  const manySubTasks = () => seedSend(database, tenantId, { chunks: Array.from({ length: SUB_TASKS }, () => 1) });
  const cancel = (transaction: Transaction, { campaignId }: TestSend) =>
    rows(transaction, cancelPending, { tenantId, campaignId, now: new Date(), editId: null });
  const accept = (transaction: Transaction, { keys }: TestSend) =>
    rows(transaction, `update broadcast_task set status = 'sending' where key = :key`, { key: keys[0] ?? '' });
  async function read(work: (transaction: Transaction) => Promise<unknown>): Promise<number> {
    const { scanned, fetched } = await rowsRead(database, ['broadcast_task'], work);
    return scanned + fetched;
  }
  const told = ({ dispatchId }: TestSend) =>
    firstRow<{ told: number; data: Record<string, unknown> }>(
      database,
      `select count(*) over () as told, data from outgoing_event
       where type = 'campaign.sent' and data->>'dispatchId' = :dispatchId`,
      { dispatchId },
    );

  it('is hardly any while some of it waits, and each of them a few times when the others are cancelled', async () => {
    const send = await manySubTasks();
    expect(await read((transaction) => accept(transaction, send))).to.be.at.most(10);
    expect(await told(send)).to.equal(null);
    expect(await read((transaction) => cancel(transaction, send))).to.be.at.most(5 * SUB_TASKS);
    const found = await told(send);
    expect(found?.told).to.equal(1);
    expect(found?.data).to.include({ contacts: SUB_TASKS, submitted: 1, subTasks: SUB_TASKS });
  });

  it('is each of them a few times when all of it is cancelled, and nothing is told of', async () => {
    const send = await manySubTasks();
    expect(await read((transaction) => cancel(transaction, send))).to.be.at.most(5 * SUB_TASKS);
    expect(await told(send)).to.equal(null);
  });
});
