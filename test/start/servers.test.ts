import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';
import { withLock } from '#db/provision.ts';
import type { Child } from '#scripts/start/child.ts';
import { freePort } from '#scripts/start/ports.ts';
import { startPostgres } from '#scripts/start/postgres.ts';
import { isAlive } from '#scripts/start/survivors.ts';
import { findTemporal } from '#scripts/start/temporal-finder.ts';
import { prepareNamespace, startTemporalServer } from '#scripts/start/temporal-server.ts';
import { namespaceRetentionHours } from '#temporal.config.ts';
import { eventually } from '../support/time/eventually.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

describe('a killed PostgreSQL', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const logFile = join(folder, 'postgresql.log');
  let port: number;

  const start = (): Promise<Child> =>
    startPostgres({
      folder: join(folder, 'postgresql'),
      port,
      user: 'postgres',
      password: 'postgres',
      logFile,
      background: true,
    });
  const query = (sql: string) =>
    withLock(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`, (client) => client.query(sql));

  before(async () => {
    port = await freePort();
  });

  it('keeps every row over kill -9', async () => {
    const first = await start();
    await query('create table parcel (id int)');
    await query('insert into parcel values (1)');
    first.kill('SIGKILL');
    await first.exited;
    const second = await start();
    expect((await query('select id from parcel')).rows).to.deep.equal([{ id: 1 }]);
    await second.stop();
  });

  it('starts again once the processes that a killed one has left are gone', async () => {
    const first = await start();
    const { rows } = await query(`select pid from pg_stat_activity where backend_type = 'checkpointer'`);
    const [{ pid }] = rows as [{ pid: number }];
    const refusals = () => readFileSync(logFile, 'utf8').split('pre-existing shared memory block').length;
    const before = refusals();
    process.kill(pid, 'SIGSTOP');
    first.kill('SIGKILL');
    await first.exited;
    const starting = start();
    await eventually('its folder is refused', () => refusals() > before).finally(() => process.kill(pid, 'SIGCONT'));
    const second = await starting;
    expect((await query('select id from parcel')).rows).to.deep.equal([{ id: 1 }]);
    await second.stop();
  });

  it('is ended and started again if an earlier one still runs', async () => {
    const first = await start();
    const second = await start();
    expect(isAlive(first.pid)).to.equal(false);
    expect((await query('select id from parcel')).rows).to.deep.equal([{ id: 1 }]);
    await second.stop();
  });

  it('is not confused by a process id that now belongs to another process', async () => {
    const data = join(folder, 'postgresql', 'data');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'postmaster.pid'), `${process.pid}\n${data}\n0\n${port}\n\n127.0.0.1\n\nready\n`);
    const server = await start();
    expect((await query('select id from parcel')).rows).to.deep.equal([{ id: 1 }]);
    await server.stop();
  });

  it('says why it cannot start', async () => {
    const server = await start();
    const other = startPostgres({
      folder: join(folder, 'other'),
      port,
      user: 'postgres',
      password: 'postgres',
      logFile: join(folder, 'other.log'),
      volatile: true,
    });
    const message = await other.then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(message)
      .to.match(/^PostgreSQL did not start:/)
      .and.include('Address already in use');
    await server.stop();
  });
});

describe('Temporal that is killed', function () {
  this.timeout(60_000);

  it('keeps workflows, retention and search attributes over kill -9', async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const executable = await findTemporal(() => {});
    const start = () =>
      startTemporalServer({
        executable,
        port,
        file: join(folder, 'temporal', 'temporal.db'),
        logFile: join(folder, 'temporal.log'),
        background: true,
      });
    const prepare = () => prepareNamespace({ connection: { address }, namespace: 'default', owned: true });

    const first = await start();
    await prepare();
    const before = await Connection.connect({ address });
    await new Client({ connection: before }).workflow.start('nobodyRunsThis', {
      taskQueue: 'none',
      workflowId: 'kept',
      searchAttributes: { TenantId: ['t1'] },
    });
    await before.close();
    first.kill('SIGKILL');
    await first.exited;

    const second = await start();
    await prepare();
    const connection = await Connection.connect({ address });
    const found = await new Client({ connection }).workflow.getHandle('kept').describe();
    expect(found.status.name).to.equal('RUNNING');
    expect(found.searchAttributes).to.deep.include({ TenantId: ['t1'] });
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).to.equal(namespaceRetentionHours * 3600);
    await connection.close();
    await second.stop();
  });
});
