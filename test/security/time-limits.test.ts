import { expect } from 'chai';
import { openPools as openBackendPools, poolSizes as backendSizes } from '#api/backend/pools.ts';
import { openPools as openOrdersPools, poolSizes as ordersSizes } from '#api/orders/pools.ts';
import { limits as bffLimits, openBffDatabase } from '#db/bff/database.ts';
import type { TimeLimits } from '#db/connection.ts';
import { type Database, rows } from '#db/database.ts';
import { createEncryption } from '#db/encryption.ts';
import { isBusy, sqlStateOf } from '#db/errors.ts';
import { parseSettings } from '#domain/settings/settings.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { createDatabase, type TestDatabase } from '../support/servers/database.ts';
import { eventually } from '../support/time/eventually.ts';

const settings = {
  statement_timeout: 'statementMs',
  lock_timeout: 'lockMs',
  idle_in_transaction_session_timeout: 'idleInTransactionMs',
} as const satisfies Record<string, keyof TimeLimits>;
type Setting = keyof typeof settings;

interface Pool {
  /** As PostgreSQL knows it. */
  name: string;
  database: Database;
  limits: TimeLimits;
}

const SHORT_MS = 200;

/** A row for which somebody else's transaction makes everybody wait. */
const lock = 'select pg_advisory_xact_lock(15)';

describe('every pool of connections', () => {
  const database: TestDatabase = fixture(async () => {
    const value = await createDatabase();
    return { value, close: () => value.drop() };
  });
  const pools: Pool[] = fixture(async () => {
    const backend = openBackendPools(database.DATABASE_URL_BACKEND);
    const orders = openOrdersPools(database.DATABASE_URL_ORDERS);
    const encryption = createEncryption(parseSettings({}, ['ENCRYPTION_KEYS']).ENCRYPTION_KEYS);
    const bff = openBffDatabase({ url: database.DATABASE_URL_BFF, encryption, applicationName: 'bff' });
    const value: Pool[] = [
      ...(['api', 'intake', 'worker'] as const).map((name) => {
        return { name: `backend-${name}`, database: backend[name], limits: backendSizes[name].limits };
      }),
      ...(['api', 'worker', 'relay'] as const).map((name) => {
        return { name: `orders-${name}`, database: orders[name], limits: ordersSizes[name].limits };
      }),
      { name: 'bff', database: bff.connection, limits: bffLimits },
    ];
    return { value, close: async () => void (await Promise.all([backend.destroy(), orders.destroy(), bff.close()])) };
  });

  it('names itself, and has PostgreSQL end a statement, a wait for a row and an idle transaction', async () => {
    for (const { name, database: pool, limits } of pools) {
      const found = await rows<{ name: string; setting: string }>(
        pool,
        `select name, setting from pg_settings
         where name in ('application_name', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`,
        {},
      );
      const expected = Object.entries(settings).map(([setting, limit]) => [setting, String(limits[limit])]);
      expect(Object.fromEntries(found.map((one) => [one.name, one.setting]))).to.deep.equal({
        application_name: name,
        ...Object.fromEntries(expected),
      });
      for (const limit of Object.values(limits)) expect(limit, name).to.be.within(1000, 300_000);
    }
  });

  /** What fails in a transaction whose limit is a short one. */
  async function failureOf(
    pool: Database,
    setting: Setting,
    work: (sql: (text: string) => Promise<unknown>) => Promise<unknown>,
  ) {
    const transaction = await pool.transaction();
    try {
      await transaction.raw(`set local ${setting} = ${SHORT_MS}`);
      return await work((text) => transaction.raw(text)).then(
        () => null,
        (error: unknown) => error,
      );
    } finally {
      await transaction.rollback().catch(() => undefined);
    }
  }

  it('gets the end of a statement as something to try again, and goes on', async () => {
    for (const { name, database: pool } of pools) {
      const failure = await failureOf(pool, 'statement_timeout', (sql) => sql('select pg_sleep(600)'));
      expect([sqlStateOf(failure), isBusy(failure)], name).to.deep.equal(['57014', true]);
      expect(await rows(pool, 'select 1 as found', {})).to.deep.equal([{ found: 1 }]);
    }
  });

  it('does not wait for a row for ever', async () => {
    const holder = await pools[0]?.database.transaction();
    await holder?.raw(lock);
    try {
      for (const { name, database: pool } of pools) {
        const failure = await failureOf(pool, 'lock_timeout', (sql) => sql(lock));
        expect([sqlStateOf(failure), isBusy(failure)], name).to.deep.equal(['55P03', true]);
      }
    } finally {
      await holder?.rollback();
    }
  });

  it('loses a transaction in which nothing happens, with its locks', async () => {
    for (const { name, database: pool } of pools) {
      const failure = await failureOf(pool, 'idle_in_transaction_session_timeout', async (sql) => {
        await sql(lock);
        await eventually(`the lock is free: ${name}`, () =>
          pool.transaction((one) =>
            one
              .raw('select pg_try_advisory_xact_lock(15) as free')
              .then(({ rows: [row] }: { rows: { free: boolean }[] }) => row?.free),
          ),
        );
        return await sql('select 1');
      });
      expect(failure, name).to.be.instanceOf(Error);
    }
  });
});
