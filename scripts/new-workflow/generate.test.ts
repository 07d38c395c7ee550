import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createNamespace } from '#test/support/servers/temporal.ts';
import { projectFolder } from '../start/services.ts';
import { generateWorkflow } from './generate.ts';

const run = promisify(execFile);

const rooms = [
  '.mocharc.json',
  'activities',
  'api',
  'clients',
  'commands',
  'db',
  'domain',
  'migrations',
  'scripts',
  'test/support',
  'workflows',
  'sandbox',
  'web',
];

describe('a new workflow', function () {
  this.timeout(300_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(projectFolder, 'dist', 'new-workflow-'));
    for (const path of [...rooms, 'temporal.config.ts', 'tsconfig.json', 'package.json'])
      cpSync(join(projectFolder, path), join(folder, path), { recursive: true });
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  it('has a contract, an activity, a workflow and a test that fit the types, and is registered', () => {
    const files = [
      ...generateWorkflow(folder, 'recount-tags', 'outreach'),
      ...generateWorkflow(folder, 'close-books', 'orders'),
    ];
    expect(readFileSync(join(folder, 'workflows/types.ts'), 'utf8')).to.include(
      `export { recountTags } from './outreach/recount-tags/recount-tags.ts';`,
    );
    const config = { extends: './tsconfig.json', include: [], files: [...new Set([...files, 'workflows/index.ts'])] };
    writeFileSync(join(folder, 'tsconfig.new.json'), JSON.stringify(config));
    const tsc = join(projectFolder, 'node_modules/typescript/bin/tsc');
    const check = () =>
      execFileSync(process.execPath, [tsc, '-p', 'tsconfig.new.json'], { cwd: folder, encoding: 'utf8' });
    try {
      check();
    } catch (error) {
      expect.fail((error as { stdout: string }).stdout);
    }
  });

  it('passes its own test, which leaves a history for the replay of later changes', async () => {
    const { address, close } = await createNamespace();
    const test = 'workflows/outreach/recount-tags/recount-tags.test.ts';
    const mocha = join(projectFolder, 'node_modules/mocha/bin/mocha.js');
    const env = { ...process.env, RECORD_HISTORIES: 'on', TEST_TEMPORAL_ADDRESS: address };
    const { stdout } = await run(process.execPath, [mocha, test], { cwd: folder, env }).catch(
      (error: { stdout: string; stderr: string }) => expect.fail(`${error.stdout}${error.stderr}`),
    );
    await close();
    expect(stdout).to.include('works until nothing is left').and.include('1 passing');
    expect(readdirSync(join(folder, 'test/histories/recount-tags'))).to.have.length(1);
  });

  it('needs a name of its own, in words', () => {
    expect(() => generateWorkflow(folder, 'Recount', 'outreach')).to.throw('must be words');
    expect(() => generateWorkflow(folder, 'recount-tags', 'outreach')).to.throw('is there already');
  });
});
