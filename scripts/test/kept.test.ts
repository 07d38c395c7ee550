import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '#test/support/servers/servers.ts';
import { projectFolder } from '../start/services.ts';
import { fetchNotes, kept, leaveNotes } from './kept.ts';

describe('what the checks note about unchanged files', () => {
  const before = process.env['XDG_CACHE_HOME'];
  const name = `notes-of-a-test-${process.pid}`;
  const own = join(projectFolder, kept(name));
  beforeEach(() => {
    process.env['XDG_CACHE_HOME'] = temporaryFolder();
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, 'first');
    leaveNotes(name);
  });
  afterEach(() => {
    rmSync(own, { force: true });
    if (before === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = before;
  });

  it('is there in a fresh checkout', () => {
    rmSync(own);
    fetchNotes(name);
    expect(readFileSync(own, 'utf8')).to.equal('first');
  });

  it('stays where a checkout has its own', () => {
    writeFileSync(own, 'second');
    fetchNotes(name);
    expect(readFileSync(own, 'utf8')).to.equal('second');
  });

  it('need not be there', () => {
    process.env['XDG_CACHE_HOME'] = temporaryFolder();
    rmSync(own);
    fetchNotes(name);
    expect(existsSync(own)).to.equal(false);
    leaveNotes(name);
  });
});
