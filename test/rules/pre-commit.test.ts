import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { projectFolder } from '#scripts/start/services.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

const run = promisify(execFile);

describe('the pre-commit hook', function () {
  this.timeout(180_000);
  const folder = temporaryFolder();
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
  const commits = async () => Number((await git('rev-list', '--all', '--count')).stdout);

  before(async () => {
    for (const name of [
      '.githooks',
      '.prettierrc.json',
      '.oxlintrc.json',
      '.gitignore',
      'package.json',
      'tsconfig.json',
      'web',
      'domain',
    ])
      cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
    await git('init', '--quiet');
    await git('config', 'core.hooksPath', '.githooks');
  });

  it('rejects what is not formatted or not clean, by the name of the check', async () => {
    writeFileSync(join(folder, 'one.mjs'), 'const unused = "double"\n');
    await git('add', 'one.mjs');
    const { stdout, stderr } = await git('commit', '--message=one').then(
      () => expect.fail('it was committed'),
      (error: { stdout: string; stderr: string }) => error,
    );
    expect(stdout + stderr)
      .to.match(/^format:$/m)
      .and.match(/^lint:$/m)
      .and.include('unused');
    expect(await commits()).to.equal(0);
  });

  it('lets through what is', async () => {
    writeFileSync(join(folder, 'one.mjs'), "export const used = 'single';\n");
    await git('add', 'one.mjs');
    await git('commit', '--message=one');
    expect(await commits()).to.equal(1);
  });

  it('rejects a page whose types do not fit, and checks no types of services for it', async () => {
    const page = join(folder, 'web/components/feedback/StandingAlert.vue');
    const before = readFileSync(page, 'utf8');
    writeFileSync(page, before.replace('useNow({ interval: 15_000 })', `useNow({ interval: 'often' })`));
    await git('add', 'web/components/feedback/StandingAlert.vue');
    const { stdout, stderr } = await git('commit', '--message=page').then(
      () => expect.fail('it was committed'),
      (error: { stdout: string; stderr: string }) => error,
    );
    expect(stdout + stderr)
      .to.match(/^web-types:$/m)
      .and.include('StandingAlert.vue')
      .and.not.match(/^types:$/m);
    writeFileSync(page, before);
    await git('add', 'web/components/feedback/StandingAlert.vue');
    await git('commit', '--message=page');
    expect(await commits()).to.equal(2);
  });
});
