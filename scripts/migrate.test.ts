import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { expect } from 'chai';
import { withDatabase, withLock } from '../db/provision.ts';
import { createDatabase } from '../test/support/servers/database.ts';
import { sharedPostgres, sharedTemporal } from '../test/support/servers/servers.ts';
import { searchAttributes } from '../temporal.config.ts';

describe('npm run migrate', () => {
  const name = `migrated_${randomUUID().replaceAll('-', '')}`;
  let server: string;
  let temporal: Connection;
  before(async () => {
    server = await sharedPostgres();
    temporal = await Connection.connect({ address: await sharedTemporal() });
  });
  after(async () => {
    await withLock(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    await temporal.close();
  });

  it('prepares the database and the namespace that services need to start', async () => {
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: withDatabase(server, name),
      TEMPORAL_ADDRESS: await sharedTemporal(),
      TEMPORAL_NAMESPACE: name,
    };
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/migrate.ts'], { env });
    expect(stdout).to.match(/^Migrated: bff\/0001.*orders\/0001/m);
    const found = await withLock(env.DATABASE_URL, (client) => client.query('select from orders.customer_order'));
    expect(found.rows).to.deep.equal([]);
    const { customAttributes } = await temporal.operatorService.listSearchAttributes({ namespace: name });
    expect(Object.keys(customAttributes)).to.include.members([...searchAttributes]);
  });

  it('fails with one sentence if the database is from an earlier development version', async () => {
    const { DATABASE_URL, drop } = await createDatabase();
    const rename = `update bff.knex_migrations set name = '0001_protocol_state' where name = '0001_installations'`;
    await withLock(DATABASE_URL, (client) => client.query(rename));
    const env = { PATH: process.env.PATH, DATABASE_URL };
    const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/migrate.ts'], { env });
    const failure = await run.then(
      () => null,
      (error: { code: number; stderr: string }) => error,
    );
    await drop();
    expect(failure?.code).to.equal(1);
    expect(failure?.stderr).to.match(/^The database [^\n]*bff\/0001_protocol_state[^\n]*delete DATA_DIR[^\n]*\n$/);
  });
});
