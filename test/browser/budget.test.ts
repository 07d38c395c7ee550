import { join } from 'node:path';
import { expect } from 'chai';
import { ensureBuilt } from '../../scripts/build/ensure.ts';
import { builtWeights } from '../../web/check-budget.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

describe('the size of what a browser loads', function () {
  this.timeout(240_000);

  it('stays within the budgets of the entry, each route and the charts', async () => {
    await ensureBuilt(['web'], { logFile: join(temporaryFolder(), 'build.log') });
    const weights = builtWeights();
    expect(weights.length).to.be.greaterThan(5);
    const over = weights.filter(({ bytes, limit }) => bytes > limit);
    expect(over.map(({ name, bytes, limit }) => `${name}: ${bytes} of ${limit} bytes`)).to.deep.equal([]);
  });
});
