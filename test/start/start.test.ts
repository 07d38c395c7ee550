import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '#scripts/start/ports.ts';
import { withLock } from '#db/provision.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { isAlive } from '#scripts/start/survivors.ts';
import { isWhole } from '../support/extent.ts';
import { eventually } from '../support/time/eventually.ts';
import { createDatabase } from '../support/servers/database.ts';
import { temporaryFolder } from '../support/servers/servers.ts';
import { expectGone, ownPorts, processesOf, start, startUntilReady } from '../support/services/started.ts';

interface Armed {
  faults: unknown[];
}

describe('a start that cannot succeed', () => {
  it('says which setting is wrong, in one line', async () => {
    const started = start({ BFF_PORT: 'four thousand', EMBEDDED_POSTGRES_PORT: '1' });
    expect(await started.exited).to.equal(1);
    expect(started.output().trim().split('\n')).to.have.length(1);
    expect(started.output()).to.match(/^Invalid settings\. BFF_PORT: /);
  });

  it('names a DATA_DIR that is not a folder and a HOST that is not an address of this machine, in one line', async () => {
    for (const [name, value] of [
      ['DATA_DIR', join(process.cwd(), 'package.json')],
      ['HOST', '203.0.113.1'],
    ] as const) {
      const started = start({ ...(await ownPorts()), DATA_DIR: temporaryFolder(), [name]: value });
      expect(await started.exited).to.equal(1);
      expect(started.output().trim()).to.match(new RegExp(`^${name}: [^\\n]*$`));
    }
  });

  it('names the port that is in use and its setting, in one line, and starts nothing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const folder = temporaryFolder();
    const started = start({ ...(await ownPorts()), ORDERS_PORT: String(port), DATA_DIR: folder });
    const code = await started.exited;
    server.close();
    expect(code).to.equal(1);
    expect(started.output().trim()).to.match(new RegExp(`^Port ${port} \\(orders\\) is in use: .*ORDERS_PORT$`));
    expect(existsSync(join(folder, 'run'))).to.equal(false);
  });

  it('names the address of an unreachable database, and ends what it had started', async () => {
    const port = await freePort();
    const folder = temporaryFolder();
    const started = start({
      ...(await ownPorts()),
      DATA_DIR: folder,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/x`,
    });
    expect(await started.exited).to.equal(1);
    expect(started.output()).to.include(`The database at 127.0.0.1:${port} cannot be prepared (DATABASE_URL)`);
    expect(existsSync(join(folder, 'run/processes.json'))).to.equal(false);
  }).timeout(60_000);

  it('says what to do with a database of an earlier development version', async () => {
    const database = await createDatabase();
    const rename = `update bff.knex_migrations set name = '0001_protocol_state' where name = '0001_installations'`;
    await withLock(database.DATABASE_URL, (client) => client.query(rename));
    const { DATABASE_URL } = database;
    const started = start({ ...(await ownPorts()), DATA_DIR: temporaryFolder(), DATABASE_URL });
    const code = await started.exited;
    await database.drop();
    expect(code).to.equal(1);
    expect(started.output()).to.match(/^The database .*bff\/0001_protocol_state.*: delete DATA_DIR.*DATABASE_URL/m);
  }).timeout(60_000);
});

describe('npm start', function () {
  this.timeout(240_000);
  const folder = temporaryFolder();
  let environment: Record<string, string>;

  before(async () => {
    environment = { ...(await ownPorts()), DATA_DIR: folder };
  });
  afterEach(async function () {
    if (!this.currentTest?.isFailed()) return;
    // The next test starts with this folder, too.
    const pids = processesOf(folder).map(({ pid }) => pid);
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
    await expectGone(pids);
  });

  async function expectServing(): Promise<void> {
    for (const name of ['BFF_PORT', 'BACKEND_PORT', 'ORDERS_PORT']) {
      await eventually(`${name} serves`, async () => {
        const response = await fetch(`http://127.0.0.1:${environment[name]}/readyz`);
        expect(response.status, await response.text()).to.equal(200);
        return true;
      });
    }
    expect((await fetch(environment.TEMPORAL_UI_URL ?? '')).status).to.equal(200);
  }

  it('brings everything up, prints the addresses, rejects a second start with the same DATA_DIR, and ends everything on SIGINT', async () => {
    const started = await startUntilReady(environment);
    const output = started.output();
    for (const name of ['sandbox', 'backend', 'orders', 'bff'])
      expect(output).to.match(new RegExp(`^${name} is up at http`, 'm'));
    expect(output)
      .to.match(/console .*\/app$/m)
      .and.match(/Temporal UI /)
      .and.match(/API docs /);
    await expectServing();
    const pids = processesOf(folder).map(({ pid }) => pid);
    expect(pids).to.have.length(7);
    const second = start(environment);
    expect(await second.exited).to.equal(1);
    expect(second.output().trim()).to.match(/^Already started with this DATA_DIR \(process \d+\): stop that first$/);
    await expectServing();
    process.kill(started.pid, 'SIGINT');
    expect(await started.exited).to.equal(0);
    expect(pids.filter(isAlive)).to.deep.equal([]);
  });

  it('recovers from kill -9 of everything', async () => {
    await startUntilReady(environment);
    const pids = processesOf(folder).map(({ pid }) => pid);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await expectGone(pids);
    const again = await startUntilReady(environment);
    await expectServing();
    process.kill(again.pid, 'SIGTERM');
    expect(await again.exited).to.equal(0);
  });

  it('ends everything when it is killed itself', async () => {
    const started = await startUntilReady(environment);
    const processes = processesOf(folder);
    const main = processes.find(({ name }) => name === 'start');
    process.kill(main?.pid ?? 0, 'SIGKILL');
    expect(await started.exited).to.equal(1);
    await expectGone(processes.map(({ pid }) => pid));
  });

  it('ends with the name and the last lines of a service that died', async () => {
    const started = await startUntilReady(environment);
    const processes = processesOf(folder);
    const orders = processes.find(({ name }) => name === 'orders');
    process.kill(orders?.pid ?? 0, 'SIGKILL');
    expect(await started.exited).to.equal(1);
    expect(started.output()).to.match(/orders ended unexpectedly by SIGKILL; the end of .*orders\.log:/);
    await expectGone(processes.map(({ pid }) => pid));
  });

  if (!isWhole(import.meta.url)) return;

  it('serves before the demonstration is there, ends in the middle of it, and completes it the next time', async () => {
    const demonstrating = { ...environment, DATA_DIR: temporaryFolder(), DEMO: 'on' };
    const first = await startUntilReady(demonstrating);
    expect(first.output()).to.match(/^Missing: .*the demonstration, half a minute, after `ready`$/m);
    await expectServing();
    const sandbox = jsonClient(`http://127.0.0.1:${environment['SANDBOX_PORT']}`);
    await eventually('orders go wrong', async () => (await sandbox.get<Armed>('/sandbox/faults')).faults.length > 0);
    process.kill(first.pid, 'SIGINT');
    expect(await first.exited).to.equal(0);
    const afterReady = first.output().split(/^ready$/m)[1] ?? '';
    expect(afterReady.match(/^(?!  ).+/gm)).to.include.members([
      'Seeding the demonstration …',
      'Stopping (SIGINT) …',
      'The demonstration is incomplete (the next start will continue)',
      'Stopped.',
    ]);
    const second = await startUntilReady(demonstrating);
    expect(second.output()).not.to.include('Missing');
    const isOver = /^The demonstration is (complete after [\d.]+ s|incomplete.*)$/m;
    await eventually('it is over', () => isOver.test(second.output()), { timeoutMs: 300_000 });
    expect(isOver.exec(second.output())?.[1]).to.match(/^complete/);
    expect((await sandbox.get<Armed>('/sandbox/faults')).faults).to.deep.equal([]);
    const { sendDurationMs } = await sandbox.get<{ sendDurationMs: number }>('/sandbox/behaviour');
    expect(sendDurationMs).to.equal(4000);
    process.kill(second.pid, 'SIGINT');
    expect(await second.exited).to.equal(0);
  }).timeout(600_000);
});
