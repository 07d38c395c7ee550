import { join } from 'node:path';
import { expect } from 'chai';
import { ensureBuilt } from '#scripts/build/ensure.ts';
import { builtOpenings, builtWeights, builtWithSchemas } from '#web/check-budget.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

const kilobyte = 1024;

/** Of scripts, texts and styles; with the page itself and its icon, the overview has twelve. */
const limitsOf = (path: string) =>
  path === '/app'
    ? { files: 10, gzipBytes: 218 * kilobyte, brotliBytes: 236 * kilobyte }
    : { files: 18, gzipBytes: 262 * kilobyte, brotliBytes: 280 * kilobyte };

describe('the size of what a browser loads', function () {
  this.timeout(240_000);

  before(() => ensureBuilt(['web'], { logFile: join(temporaryFolder(), 'build.log') }));

  it('stays within the budgets of the entry, each route and the charts', () => {
    const weights = builtWeights();
    expect(weights.length).to.be.greaterThan(5);
    const over = weights.filter(({ bytes, limit }) => bytes > limit);
    expect(over.map(({ name, bytes, limit }) => `${name}: ${bytes} of ${limit} bytes`)).to.deep.equal([]);
  });

  it('holds no schemas before a page shows', () => {
    expect(builtWithSchemas(), 'scripts that are loaded later hold some, so they would be recognised').to.equal(true);
    const withSchemas = builtOpenings().filter((opening) => opening.holdsSchemas);
    expect(withSchemas.map(({ path }) => path)).to.deep.equal([]);
  });

  it('comes to few files and bytes when a page is opened cold', () => {
    const opened = builtOpenings();
    expect(opened.length).to.be.greaterThan(50);
    const over = opened.filter(({ path, files, gzipBytes, brotliBytes }) => {
      const limit = limitsOf(path);
      return files > limit.files || gzipBytes > limit.gzipBytes || brotliBytes > limit.brotliBytes;
    });
    expect(over).to.deep.equal([]);
  });
});
