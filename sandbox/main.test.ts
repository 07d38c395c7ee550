import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { productionSettings } from '../test/support/services/production-settings.ts';
import { freePort } from './testing/running.ts';

describe('sandbox: the process', () => {
  let directory: string;
  let port: number;
  let child: ChildProcess;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
    port = await freePort();
  });
  after(() => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(environment: Record<string, string> = {}): Promise<{ output: string; code: number | null }> {
    child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts'], {
      env: {
        ...process.env,
        SANDBOX_PORT: String(port),
        DATA_DIR: directory,
        LOG_LEVEL: 'silent',
        DEMO: 'off',
        ...environment,
      },
    });
    let output = '';
    return new Promise((resolve) => {
      const take = (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('listens at')) resolve({ output, code: null });
      };
      child.stdout?.on('data', take);
      child.stderr?.on('data', take);
      child.once('exit', (code) => resolve({ output, code }));
    });
  }

  const post = (path: string, body: unknown) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: JSON.stringify(body) });

  it('keeps everything it has acknowledged through a kill, and drops a half-written line', async () => {
    await start();
    const tenant = { platformTenantId: 't1', name: 'T', serviceNumbers: [{ serviceNumberId: 'sn1', name: 'N' }] };
    await post('/sandbox/tenants', tenant);
    await post('/sandbox/contacts', { tenant: 't1', serviceNumberId: 'sn1', count: 1_000_000 });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const journal = join(directory, 'sandbox', 'journal.jsonl');
    expect(readFileSync(journal, 'utf8').length).to.be.below(5000);
    appendFileSync(journal, '["tenants",{"platformTenantId":"half');
    await start();
    const response = await fetch(`http://127.0.0.1:${port}/sandbox/contacts?serviceNumberId=sn1&offset=999998`);
    const { total, items } = (await response.json()) as { total: number; items: Array<{ contactId: string }> };
    expect(total).to.equal(1_000_000);
    expect(items.map(({ contactId }) => contactId)).to.deep.equal(['sn1-999999', 'sn1-1000000']);
    const { items: tenants } = (await (await fetch(`http://127.0.0.1:${port}/sandbox/tenants`)).json()) as {
      items: unknown[];
    };
    expect(tenants).to.have.length(1);
  });

  it('stops by itself on SIGTERM', async () => {
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).to.equal(0);
  });

  it('does not start in production', async () => {
    const { code, output } = await start({ ...productionSettings });
    expect(code).to.equal(1);
    expect(output).to.include('NODE_ENV=production');
    const journal = join(directory, 'sandbox', 'journal.jsonl');
    const before = readFileSync(journal, 'utf8');
    expect((await start({ ...productionSettings, SANDBOX: 'on' })).code).to.equal(1);
    expect(readFileSync(journal, 'utf8')).to.equal(before);
  });

  it('exits with one line if a setting is invalid or the port is taken', async () => {
    const wrong = await start({ SANDBOX_PORT: 'x' });
    expect(wrong.code).to.equal(1);
    expect(wrong.output).to.include('SANDBOX_PORT');
    await start();
    const first = child;
    const taken = await start();
    first.kill('SIGKILL');
    expect(taken.code).to.equal(1);
    expect(taken.output).to.include('EADDRINUSE').and.to.include('SANDBOX_PORT');
  });
});
