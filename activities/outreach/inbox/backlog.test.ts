import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';

const BATCH = 500;
const BACKLOG = 10_000;

describe('a backlog of the inbox', () => {
  const test = useTestDatabase();
  const database = useDatabase('outreach', { on: test });
  let tenant: TestTenant;

  const store = async (from: number, to: number) => {
    const contact = (n: number) => ({ contactId: `c${n}`, serviceNumberId: 'sn-1' });
    const events = Array.from({ length: to - from }, (_, n) =>
      eventCommand(tenant, 'contact.entered', contact(from + n)),
    );
    await inboxOf(database).store(...events);
  };

  /** Rows of the inbox that are read for one batch. */
  async function readByBatch(): Promise<number> {
    const tables = await rows<{ name: string }>(
      database,
      `select relname as name from pg_class where relname like 'event_inbox%' and relkind = 'r'`,
      {},
    );
    const names = tables.map(({ name }) => name);
    const { scanned, fetched } = await rowsRead(database, names, async (transaction) => {
      expect((await inboxOf(transaction).handle()).taken).to.equal(BATCH);
    });
    return scanned + fetched;
  }

  before(async () => {
    tenant = await seedTenant(database, testEncryption);
  });
  afterEach(() => rows(database, 'delete from event_inbox', {}));

  it('is not read again for each batch of a month that has no statistics yet', async () => {
    await store(0, BACKLOG);
    expect(await readByBatch()).to.be.at.most(6 * BATCH);
  });

  it('is not read again for each batch, although the statistics know of no stored event', async () => {
    await store(0, BATCH);
    await inboxOf(database).handle();
    await test.connect('outreach', 'owner').raw('vacuum analyze event_inbox');
    await store(BATCH, BATCH + BACKLOG);
    expect(await readByBatch()).to.be.at.most(6 * BATCH);
  });
});
