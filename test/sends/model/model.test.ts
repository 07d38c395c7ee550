import { expect } from 'chai';
import { useDatabase } from '../../support/fixtures/database.ts';
import { runWorlds } from './run-worlds.ts';

/** `npm run test:long` sets it. */
const { SEND_MODEL_CAMPAIGNS: given = '4', SEND_MODEL_SEED: only } = process.env;
const count = only === undefined ? Number(given) : 1;
const seed = only === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(only);

describe('Sends against a model of the platform', () => {
  const databases = [useDatabase('outreach'), useDatabase('outreach')];

  it(`nobody twice unless an operator was wrong, nobody forgotten, and figures that add up: ${count} campaigns from seed ${seed}`, async function () {
    this.timeout(300_000 + count * 20_000);
    const totals = await runWorlds(databases, { seed, count });
    process.stdout.write(`      ${JSON.stringify({ ...totals, endings: Object.fromEntries(totals.endings) })}\n`);
    expect(totals.sends).to.be.at.least(count);
  });
});
