import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { startMortalWorker } from './mortal-worker.ts';
import { refuseWritesNowAndThen } from './outages.ts';
import { openStage } from './real.ts';
import { runSequences } from './run-sequences.ts';

/** `npm run test:all` sets it. */
const { ORDER_MODEL_SEQUENCES: given = '38', ORDER_MODEL_SEED: only } = process.env;
const count = only === undefined ? Number(given) : 1;
const seed = only === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(only);

/** So many sequences reach each of these several times, or the sequences have become poor. */
const expected = [
  { of: 38, reached: ['ended 30/30/0', 'ended 30/30/30'] },
  {
    of: 150,
    reached: [
      ...['0/0/0', '30/30/0', '30/30/30', '30/30/70', '50/40/40', '60/0/0', '60/40/40'].map((end) => `ended ${end}`),
      ...['once', 'twice', 'late'].map((told) => `refund at the desk, told ${told}`),
      ...['once', 'twice', 'backwards'].map((told) => `dispute, told ${told}`),
      'dispute won',
      'dispute lost',
      'refundLines: 1000',
    ],
  },
  { of: 500, reached: ['30/30/60', '30/50/60', '40/40/60'].map((end) => `ended ${end}`) },
];

describe('Orders against a model in plain code', () => {
  const shop = useOrders({ apis: 2 });

  it(`no charge twice, no money without an order or a refund, no point, piece, coupon or cent lost: ${count} sequences from seed ${seed}`, async function () {
    // Shrinking takes minutes; how long each sequence takes depends on the machine.
    this.timeout(1_200_000 + count * 2000);
    const stage = openStage(shop);
    const worker = await startMortalWorker(shop);
    const refusing = refuseWritesNowAndThen(stage, shop.database);
    try {
      await runSequences(stage, { seed, count });
    } finally {
      const [deaths, spells] = [await worker.stop(), await refusing.stop()];
      await stage.observer.destroy();
      expect(deaths, 'deaths of a worker').to.be.at.least(1);
      expect(spells, 'times without writes').to.be.at.least(1);
    }
    const reached = expected.filter(({ of }) => count >= of).flatMap(({ reached: all }) => all);
    expect([...stage.tally.keys()]).to.include.members(reached);
  });
});
