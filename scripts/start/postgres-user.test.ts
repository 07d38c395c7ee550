import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '#test/support/servers/servers.ts';
import { asUser, findOnPath, findServerUser } from './postgres-user.ts';

describe('the user that runs PostgreSQL for root', () => {
  before(function () {
    if (process.getuid?.() !== 0 || !findOnPath('setpriv')) this.skip();
  });

  it('is told by access(2), too, that it may use what is in a folder closed to it', () => {
    const folder = temporaryFolder();
    const program = join(folder, 'program');
    writeFileSync(program, '');
    chmodSync(program, 0o755);
    chmodSync(folder, 0o700);
    const user = findServerUser(join(folder, 'data'), [folder]);
    expect(user).to.include({ needsPassage: true });
    for (const right of ['-r', '-x']) {
      const { command, args } = asUser(user, 'test', [right, program]);
      const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
      expect(status, `${right} ${stderr}`).to.equal(0);
    }
  });
});
