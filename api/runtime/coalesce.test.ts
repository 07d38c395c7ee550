import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '#test/support/time/eventually.ts';
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

  describe('and gather', () => {
    const gathering = { quietMs: 1, mostMs: 60_000 };
    const began = (batches: number[][], count: number) =>
      eventually(`${count} batches have begun`, () => batches.length === count);

    it('until as many are back as the last batch had', async () => {
      const { batches, add, endOne } = served({ size: 10, atOnce: 1, gathering: { ...gathering, quietMs: 60_000 } });
      await add(1, 2, 3);
      await endOne();
      await add(4);
      await add(5);
      expect(batches).to.deep.equal([[1, 2, 3]]);
      await add(6);
      expect(batches).to.deep.equal([
        [1, 2, 3],
        [4, 5, 6],
      ]);
    });

    it('so that 32 senders who come back one by one take a batch a round, not three', async () => {
      const rounds = 20;
      let batches = 0;
      let senders: (() => void)[] = [];
      const buffer = coalesce<() => void>(
        async (entries) => {
          batches += 1;
          await nextTurn();
          senders = [...senders, ...entries];
          for (const _ of entries) {
            await nextTurn();
            senders.shift()?.();
          }
        },
        { size: 500, atOnce: 2, gathering: { quietMs: 60_000, mostMs: 60_000 } },
      );
      const sender = async () => {
        for (let round = 0; round < rounds; round += 1) await new Promise<void>((resolve) => buffer.add(resolve));
      };
      await Promise.all(Array.from({ length: 32 }, sender));
      expect(batches).to.be.at.most(rounds);
    });

    it('no longer than others arrive', async () => {
      const { batches, add, endOne } = served({ size: 10, atOnce: 1, gathering });
      await add(1, 2, 3);
      await endOne();
      await add(4);
      await began(batches, 2);
      expect(batches[1]).to.deep.equal([4]);
    });

    it('not at all if one sends alone', async () => {
      const { batches, add, endOne } = served({ size: 10, atOnce: 1, gathering: { ...gathering, quietMs: 60_000 } });
      for (const one of [1, 2, 3]) {
        await add(one);
        await endOne();
      }
      expect(batches).to.deep.equal([[1], [2], [3]]);
    });

    it('while a batch runs, but not behind one that takes too long', async () => {
      const { batches, add } = served({ size: 10, atOnce: 2, gathering: { quietMs: 60_000, mostMs: 1 } });
      await add(1);
      await add(2, 3);
      await began(batches, 2);
      expect(batches).to.deep.equal([[1], [2, 3]]);
      const patient = served({ size: 10, atOnce: 2, gathering });
      await patient.add(1);
      await patient.add(2);
      await patient.add(3);
      expect(patient.batches).to.deep.equal([[1]]);
      await patient.endOne();
      expect(patient.batches).to.deep.equal([[1], [2, 3]]);
    });
  });
});
