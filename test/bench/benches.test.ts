import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { projectFolder } from '#scripts/start/services.ts';
import { isWhole } from '../support/extent.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

/** `npm run test:all` sets it. */
const everyBench = process.env['EVERY_BENCH'] === 'on';

/** So little work that only the figures' existence counts. */
const tiny = ['events=64', 'rounds=1', 'orders=4', 'contacts=10000', 'clicks=390'];
const tinyOfEvery = [...tiny, 'largest=5', 'minutes=0.1', 'tests=20'];
const few = ['webhook-intake', 'click-visible', 'reads', 'pay-order', 'footprint'];
const others = [
  'large-send',
  'automations',
  'growth',
  'busy-item',
  'orders-mixed-load',
  'start',
  'console-vitals',
  'tasks',
  'variants',
];

/** Every number in it, by its path. */
function numbersIn(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, `${path}.${key}`));
}

describe('npm run bench', function () {
  this.timeout(everyBench ? 1_800_000 : 600_000);

  it('has no other benches than these', async () => {
    const listed = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/main.ts', 'none'], {
      cwd: projectFolder,
    }).catch(({ stderr }: { stderr: string }) => ({ stderr }));
    const [, names = ''] = /there are (.*)$/m.exec(listed.stderr) ?? [];
    expect(names.split(', ').toSorted()).to.deep.equal([...few, ...others].toSorted());
  });

  if (!isWhole(import.meta.url)) return;
  it('ends with 0, writes every figure and prints the table with its floors', async () => {
    const folder = temporaryFolder();
    const names = everyBench ? [...few, ...others] : few;
    const words = [...names, ...(everyBench ? tinyOfEvery : tiny)];
    const child = spawn(process.execPath, ['--import', 'tsx', 'bench/main.ts', ...words], {
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
