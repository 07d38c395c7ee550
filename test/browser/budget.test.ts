import { join } from 'node:path';
import { expect } from 'chai';
import { ensureBuilt } from '../../scripts/build/ensure.ts';
import { builtOpenings, builtWeights, builtWithSchemas } from '../../web/check-budget.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

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
    expect(builtWithSchemas(), 'chunks that are loaded later hold some, so they would be recognised').to.equal(true);
    const withSchemas = builtOpenings().filter(({ holdsSchemas }) => holdsSchemas);
    expect(withSchemas.map(({ name }) => name)).to.deep.equal([]);
  });

  it('comes to at most so many scripts and bytes when the console or its heaviest page is opened cold', () => {
    const opened = builtOpenings();
    const overview = opened.find(({ name }) => name === 'pages/overview/OverviewPage.vue');
    expect(overview?.files).to.be.at.most(60);
    expect(overview?.bytes).to.be.at.most(240 * 1024);
    expect(Math.max(...opened.map(({ files }) => files))).to.be.at.most(90);
    expect(Math.max(...opened.map(({ bytes }) => bytes))).to.be.at.most(290 * 1024);
  });
});
