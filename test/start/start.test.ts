import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../../scripts/start/ports.ts';
import { reap } from '../../scripts/start/reaper.ts';
import { projectFolder } from '../../scripts/start/services.ts';
import { isAlive } from '../../scripts/start/survivors.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/servers.ts';

interface Started {
  pid: number;
  output(): string;
  exited: Promise<number | null>;
}

/** `npm start` as a user's shell runs it, in a process group of its own. */
function start(environment: Record<string, string>): Started {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: projectFolder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DEMO: 'off', ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  if (child.pid === undefined) throw new Error('could not be started');
  reap(child.pid, 'SIGTERM');
  return {
    pid: child.pid,
    output: () => text,
    exited: new Promise((resolve) => child.once('close', (code) => resolve(code))),
  };
}

async function ownPorts(): Promise<Record<string, string>> {
  const names = ['BFF_PORT', 'BACKEND_PORT', 'ORDERS_PORT', 'SANDBOX_PORT'];
  const own = [...names, 'EMBEDDED_POSTGRES_PORT', 'EMBEDDED_TEMPORAL_PORT'];
  const ports = await Promise.all([...own, 'ui'].map(() => freePort()));
  const entries = own.map((name, index) => [name, String(ports[index])]);
  return { ...Object.fromEntries(entries), TEMPORAL_UI_URL: `http://127.0.0.1:${ports.at(-1)}` };
}

const processesOf = (folder: string): { name: string; pid: number }[] =>
  JSON.parse(readFileSync(join(folder, 'run/processes.json'), 'utf8')) as { name: string; pid: number }[];

describe('a start that cannot work', () => {
  it('says which setting is wrong, in one line', async () => {
    const started = start({ BFF_PORT: 'four thousand', EMBEDDED_POSTGRES_PORT: '1' });
    expect(await started.exited).to.equal(1);
    expect(started.output().trim().split('\n')).to.have.length(1);
    expect(started.output()).to.match(/^Wrong settings\. BFF_PORT: /);
  });

  it('names the port that is in use and its setting, in one line, and starts nothing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const folder = temporaryFolder();
    const started = start({ ...(await ownPorts()), ORDERS_PORT: String(port), DATA_DIR: folder });
    expect(await started.exited).to.equal(1);
    expect(started.output().trim()).to.match(new RegExp(`^Port ${port} \\(orders\\) is in use: .*ORDERS_PORT$`));
    expect(existsSync(join(folder, 'run'))).to.equal(false);
    server.close();
  });

  it('names the address of a database that cannot be reached, and ends what it had started', async () => {
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
});

describe('npm start', function () {
  this.timeout(240_000);
  const folder = temporaryFolder();
  let environment: Record<string, string>;

  before(async () => {
    environment = { ...(await ownPorts()), DATA_DIR: folder };
  });

  async function startUntilReady(): Promise<Started> {
    const started = start(environment);
    await eventually(
      'it is ready',
      () => {
        if (/^ready$/m.test(started.output())) return true;
        if (!isAlive(started.pid)) throw new Error(started.output());
        return false;
      },
      { timeoutMs: 120_000, intervalMs: 100 },
    );
    return started;
  }

  async function expectServing(): Promise<void> {
    for (const name of ['BFF_PORT', 'BACKEND_PORT', 'ORDERS_PORT']) {
      const answer = await fetch(`http://127.0.0.1:${environment[name]}/readyz`);
      expect(answer.status, await answer.text()).to.equal(200);
    }
    expect((await fetch(environment.TEMPORAL_UI_URL ?? '')).status).to.equal(200);
  }

  const expectGone = (pids: number[]): Promise<unknown> =>
    eventually('every process is gone', () => pids.every((pid) => !isAlive(pid)), { timeoutMs: 15_000 });

  it('brings everything up, says where it is, and ends all of it at SIGINT within 10 s', async () => {
    const started = await startUntilReady();
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
    const begun = Date.now();
    process.kill(started.pid, 'SIGINT');
    expect(await started.exited).to.equal(0);
    expect(Date.now() - begun).to.be.lessThan(10_000);
    expect(pids.filter(isAlive)).to.deep.equal([]);
  });

  it('refuses a second start with the same DATA_DIR', async () => {
    const started = await startUntilReady();
    const second = start(environment);
    expect(await second.exited).to.equal(1);
    expect(second.output().trim()).to.match(/^Already started with this DATA_DIR \(process \d+\): end that first$/);
    await expectServing();
    process.kill(started.pid, 'SIGTERM');
    expect(await started.exited).to.equal(0);
  });

  it('is up again in under 20 s after kill -9 of everything', async () => {
    await startUntilReady();
    const pids = processesOf(folder).map(({ pid }) => pid);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await expectGone(pids);
    const begun = Date.now();
    const again = await startUntilReady();
    expect(Date.now() - begun).to.be.lessThan(20_000);
    await expectServing();
    process.kill(again.pid, 'SIGTERM');
    expect(await again.exited).to.equal(0);
  });

  it('ends everything when it is itself killed', async () => {
    const started = await startUntilReady();
    const processes = processesOf(folder);
    const main = processes.find(({ name }) => name === 'start');
    process.kill(main?.pid ?? 0, 'SIGKILL');
    expect(await started.exited).to.equal(1);
    await expectGone(processes.map(({ pid }) => pid));
  });

  it('ends with the name and the last lines of a service that died', async () => {
    const started = await startUntilReady();
    const processes = processesOf(folder);
    const orders = processes.find(({ name }) => name === 'orders');
    process.kill(orders?.pid ?? 0, 'SIGKILL');
    expect(await started.exited).to.equal(1);
    expect(started.output()).to.match(/orders ended unexpectedly by SIGKILL; the end of .*orders\.log:/);
    await expectGone(processes.map(({ pid }) => pid));
  });
});
