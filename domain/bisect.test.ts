import { expect } from 'chai';
import { bisect } from './bisect.ts';

describe('bisection of a failing batch', () => {
  const poisoned = new Error('poisoned');
  const passing = new Error('passing');

  /**
   * Handles numbers; fails for a batch with a negative one, and for one with zero as if a server were
   * unavailable.
   */
  async function handle(items: number[]) {
    const runs: number[][] = [];
    const results = await bisect<number, string>(items, {
      run: (some) => {
        runs.push([...some]);
        if (some.includes(0)) return Promise.reject(passing);
        if (some.some((item) => item < 0)) return Promise.reject(poisoned);
        return Promise.resolve(some.map((item) => `done ${item}`));
      },
      mayBeOneItem: (error) => error === poisoned,
      fail: (error, some) => some.map((item) => `${error === poisoned ? 'failed' : 'later'} ${item}`),
    });
    return { results, runs };
  }

  it('runs once if nothing fails', async () => {
    expect(await handle([1, 2, 3])).to.deep.equal({ results: ['done 1', 'done 2', 'done 3'], runs: [[1, 2, 3]] });
    expect(await handle([])).to.deep.equal({ results: [], runs: [[]] });
  });

  it('fails only the items at fault, and keeps the order', async () => {
    const { results, runs } = await handle([1, 2, -3, 4, -5]);
    expect(results).to.deep.equal(['done 1', 'done 2', 'failed -3', 'done 4', 'failed -5']);
    expect(runs).to.deep.equal([[1, 2, -3, 4, -5], [1, 2, -3], [1, 2], [-3], [4, -5], [4], [-5]]);
  });

  it('finds one among many in a logarithmic number of runs', async () => {
    const items = Array.from({ length: 512 }, (_, index) => (index === 300 ? -1 : index + 1));
    const { results, runs } = await handle(items);
    expect(results.filter((result) => result.startsWith('failed'))).to.deep.equal(['failed -1']);
    expect(runs).to.have.length(1 + 2 * 9);
  });

  it('splits nothing if no single item is at fault', async () => {
    expect(await handle([1, 0, 2])).to.deep.equal({ results: ['later 1', 'later 0', 'later 2'], runs: [[1, 0, 2]] });
    const { results } = await handle([-1, 2, 0, 4]);
    expect(results, 'also of a half').to.deep.equal(['later -1', 'later 2', 'later 0', 'later 4']);
  });

  it('rejects with the error thrown by `fail`', async () => {
    const failure = await bisect([1, 2], {
      run: () => Promise.reject(passing),
      mayBeOneItem: () => false,
      fail: (error) => {
        throw error;
      },
    }).catch((error: unknown) => error);
    expect(failure).to.equal(passing);
  });
});
