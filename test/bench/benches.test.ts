import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../../scripts/start/services.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

/** So little work that only the figures' existence counts. */
const TINY = ['events=64', 'rounds=1', 'orders=4', 'contacts=10000', 'clicks=390'];

/** Every number in it, by its path. */
function numbersIn(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, `${path}.${key}`));
}

describe('npm run bench', function () {
  this.timeout(240_000);

  it('ends with 0, writes every figure and prints the table with its floors', async () => {
    const folder = temporaryFolder();
    const names = ['webhook-intake', 'reads', 'pay-order', 'footprint'];
    const child = spawn(process.execPath, ['--import', 'tsx', 'bench/main.ts', ...names, ...TINY], {
      cwd: projectFolder,
      env: { ...process.env, BENCH_RESULTS: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(String(chunk)));
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code, output.join('')).to.equal(0);
    for (const name of names) {
      const { figures } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { figures: object };
      const numbers = numbersIn(figures);
      expect(numbers, name).to.not.have.length(0);
      // Written as JSON, what is not a number is null.
      expect(JSON.stringify(figures), name).to.not.include('null');
    }
    const printed = output.join('');
    for (const item of ['webhooks stored a second, 32 at once', 'preview, slowest kind', 'pay one at a time'])
      expect(printed).to.match(new RegExp(`^${item}.*\\d.* {2}\\S.*\\d`, 'm'));
  });
});
