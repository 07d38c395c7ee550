import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '#test/support/servers/servers.ts';
import { fetchBuild, leaveBuild } from './shared.ts';

describe('builds that the checkouts of a user share', () => {
  const before = process.env['XDG_CACHE_HOME'];
  let cache: string;
  beforeEach(() => {
    cache = temporaryFolder();
    process.env['XDG_CACHE_HOME'] = cache;
  });
  afterEach(() => {
    if (before === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = before;
  });

  function built(text: string): string {
    const folder = join(temporaryFolder(), 'web');
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(folder, 'assets/main.js'), text);
    return folder;
  }
  const textIn = (folder: string) => readFileSync(join(folder, 'assets/main.js'), 'utf8');

  it('are taken in the place of an older one, where they were made from the same inputs', () => {
    leaveBuild('web', 'one', built('first'));
    leaveBuild('web', 'two', built('second'));
    const own = built('older');
    writeFileSync(join(own, 'assets/gone.js'), '');
    expect(fetchBuild('web', 'one', own)).to.equal(true);
    expect(textIn(own)).to.equal('first');
    expect(readdirSync(join(own, 'assets'))).to.deep.equal(['main.js']);
  });

  it('are not taken for other inputs, nor for another target', () => {
    leaveBuild('web', 'one', built('first'));
    const own = built('own');
    expect(fetchBuild('web', 'two', own)).to.equal(false);
    expect(fetchBuild('services', 'one', own)).to.equal(false);
    expect(textIn(own)).to.equal('own');
  });

  it('are forgotten after a week', () => {
    leaveBuild('web', 'one', built('first'));
    const kept = join(cache, 'outreach-platform/builds/web-one');
    const longAgo = new Date(Date.now() - 8 * 86_400_000);
    utimesSync(kept, longAgo, longAgo);
    leaveBuild('web', 'two', built('second'));
    expect(existsSync(kept)).to.equal(false);
    expect(fetchBuild('web', 'two', built('own'))).to.equal(true);
  });
});
