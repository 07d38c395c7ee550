import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { runWorlds } from './run-worlds.ts';

/** `npm run test:all` says how many, and draws them anew; the suite repeats the same few. */
const { SEND_MODEL_CAMPAIGNS: drawn, SEND_MODEL_SEED: only } = process.env;
/** One with variants, a holdout and a pace that asks for approval, one that is scheduled, a small one, and one whose tenant is uninstalled. */
const FEW = { seed: 902_051, count: 4 };

function chosen(): { seed: number; count: number } {
  if (only !== undefined) return { seed: Number(only), count: 1 };
  return drawn === undefined ? FEW : { seed: Math.floor(Math.random() * 2 ** 30), count: Number(drawn) };
}
const { seed, count } = chosen();

describe('Sends against a model of the platform', () => {
  const databases = [useDatabase('outreach'), useDatabase('outreach')];

  it(`nobody twice unless an operator was wrong, nobody forgotten, and figures that add up: ${count} campaigns from seed ${seed}`, async function () {
    this.timeout(300_000 + count * 20_000);
    const totals = await runWorlds(databases, { seed, count });
    process.stdout.write(`      ${JSON.stringify({ ...totals, endings: Object.fromEntries(totals.endings) })}\n`);
    expect(totals.sends).to.be.at.least(count);
  });
});
