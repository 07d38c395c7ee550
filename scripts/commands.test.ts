import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { commands } from './commands.mjs';
import { projectFolder } from './start/services.ts';

const run = promisify(execFile);

describe('the help of npm scripts', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };

  it('describes every script, and nothing else', () => {
    expect(Object.keys(commands).toSorted()).to.deep.equal(Object.keys(scripts).toSorted());
  });

  for (const [name, command] of Object.entries(scripts)) {
    const [program, ...args] = command.split(' ');
    if (program !== 'node' || name === 'help') continue;
    it(`is printed by npm run ${name} -- --help, which does not run it`, async () => {
      const env = { ...process.env, npm_lifecycle_event: name };
      const { stdout } = await run(process.execPath, [...args, '--help'], { cwd: projectFolder, env });
      expect(stdout).to.contain(`Usage: ${commands[name]?.usage}`);
    });
  }
});
