import { expect } from 'chai';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant, type TestSend } from '#test/support/outreach/rows.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { type Database, rows } from '#db/database.ts';
import { storeClicks } from './attribution.ts';

const BATCH = 100;
const BATCHES = 60;

describe('storing clicks', () => {
  const test = useTestDatabase();
  const database = useDatabase('outreach', { on: test });
  let send: TestSend;
  let tenantId: string;

  const clickOf = (contact: number) => ({
    tenantId,
    campaignId: send.campaignId,
    taskId: `task-${send.campaignId}`,
    contactId: `c-${contact}`,
    noticeId: `n-${contact}`,
    arm: null,
    messageCase: null,
    actionIndex: 0,
    messageIndex: 0,
    bizEventCode: 'buy',
    eventId: `e-${contact}`,
    clickedAt: new Date(),
  });

  const store = (batch: number, by: Database = database) =>
    by.transaction((transaction) =>
      storeClicks(
        transaction,
        Array.from({ length: BATCH }, (_, index) => clickOf(batch * BATCH + index)),
        new Date(),
      ),
    );

  before(async () => {
    const tables = await rows<{ name: string }>(
      database,
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'click_attribution'::regclass`,
      {},
    );
    // Autovacuum looks once a minute: meanwhile nothing is known of what arrives after a send.
    for (const { name } of tables)
      await test.connect('outreach', 'owner').raw(`alter table ${name} set (autovacuum_enabled = false)`);
    const tenant = await seedTenant(database, testEncryption);
    ({ tenantId } = tenant);
    send = await seedSend(database, tenantId, { chunks: [1] });
  });

  /** Rows that are read of the clicks for one batch of them. */
  async function readFor(batch: number): Promise<number> {
    const { scanned, fetched } = await rowsRead(database, ['click_attribution'], (transaction) =>
      store(batch, transaction),
    );
    return scanned + fetched;
  }

  // Each click is found again twice, by the contact that it is of: once for its campaign, once for the overview.
  const twice = 2 * BATCH;

  it('reads none of those stored before while the table has no statistics, so that its cost does not grow with them', async () => {
    for (let batch = 0; batch < BATCHES; batch += 1) await store(batch);
    expect(await readFor(BATCHES)).to.be.at.most(twice);
  });

  it('reads no others to count a repeat', async () => {
    expect(await readFor(BATCHES)).to.be.at.most(twice);
    expect(await rows(database, 'select sum(repeats)::int as repeats from click_attribution', {})).to.deep.equal([
      { repeats: 0 },
    ]);
  });

  it('reads no others although the statistics know of few', async () => {
    await rows(database, 'delete from click_attribution', {});
    await store(0);
    await test.connect('outreach', 'owner').raw('analyze click_attribution');
    for (let batch = 1; batch < BATCHES; batch += 1) await store(batch);
    expect(await readFor(BATCHES)).to.be.at.most(twice);
  });
});
