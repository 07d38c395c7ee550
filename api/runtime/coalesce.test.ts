import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { coalesce, type CoalesceLimits } from './coalesce.ts';

describe('requests in flight share a batch', () => {
  function served(limits: CoalesceLimits<number>) {
    const batches: number[][] = [];
    const ends: (() => void)[] = [];
    const buffer = coalesce<number>((entries) => {
      batches.push(entries);
      return new Promise((resolve) => ends.push(resolve));
    }, limits);
    const add = async (...entries: number[]) => {
      for (const entry of entries) buffer.add(entry);
      await nextTurn();
    };
    const endOne = async () => {
      ends.shift()?.();
      await nextTurn();
    };
    return { batches, add, endOne, waiting: buffer.waiting };
  }

  it('if they arrive in one turn of the event loop', async () => {
    const { batches, add } = served({ size: 10, atOnce: 2 });
    await add(1, 2, 3);
    await add(4);
    expect(batches).to.deep.equal([[1, 2, 3], [4]]);
  });

  it('if they arrive while all batches are busy', async () => {
    const { batches, add, endOne, waiting } = served({ size: 10, atOnce: 1 });
    await add(1);
    await add(2);
    await add(3, 4);
    expect([batches, waiting()]).to.deep.equal([[[1]], 3]);
    await endOne();
    expect([batches, waiting()]).to.deep.equal([[[1], [2, 3, 4]], 0]);
  });

  it('up to its size, and the rest waits for the next one, in order', async () => {
    const { batches, add, endOne } = served({ size: 2, atOnce: 1 });
    await add(1, 2, 3, 4, 5);
    for (const _ of [1, 2]) await endOne();
    expect(batches).to.deep.equal([[1, 2], [3, 4], [5]]);
  });

  it('by weight: an entry that is too heavy goes alone', async () => {
    const { batches, add, endOne } = served({ size: 5, atOnce: 1, weight: (entry) => entry });
    await add(9, 2, 3, 1, 6);
    for (const _ of [1, 2, 3]) await endOne();
    expect(batches).to.deep.equal([[9], [2, 3], [1], [6]]);
  });
});
