import { expect } from 'chai';
import * as fc from 'fast-check';
import { MAX_MINOR, MAX_POINTS } from './money.ts';
import { apportion, ofPieces } from './shares.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const amount = fc.oneof(fc.nat(1000), fc.integer({ min: 0, max: MAX_MINOR }));
const weights = fc.array(fc.oneof(fc.constant(0), fc.nat(500), fc.integer({ min: 0, max: MAX_MINOR })), {
  minLength: 1,
  maxLength: 6,
});

/** The pieces of each line, in the order in which refunds take them: so many of which line. */
const splits = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: MAX_POINTS })), {
    minLength: 1,
    maxLength: 5,
  })
  .chain((quantities) =>
    fc.record({
      quantities: fc.constant(quantities),
      takes: fc.array(fc.tuple(fc.nat(quantities.length - 1), fc.double({ min: 0, max: 1, noNaN: true })), {
        maxLength: 20,
      }),
    }),
  );

describe('shares of an order', () => {
  it('are rounded down, and what remains goes to the first that have a weight', () => {
    expect(apportion(100, [1, 1, 1])).to.deep.equal([34, 33, 33]);
    expect(apportion(101, [0, 1, 1, 1])).to.deep.equal([0, 34, 34, 33]);
    expect(apportion(5, [0, 0, 0])).to.deep.equal([2, 2, 1]);
    expect(apportion(0, [3])).to.deep.equal([0]);
    expect(apportion(0, [])).to.deep.equal([]);
  });

  it('add up to the whole, and each is its proportion to less than a unit', () => {
    fc.assert(
      fc.property(amount, weights, (whole, given) => {
        const shares = apportion(whole, given);
        expect(sum(shares)).to.equal(whole);
        const total = given.reduce((all, weight) => all + BigInt(weight), 0n);
        if (total === 0n) return;
        for (const [index, share] of shares.entries()) {
          const exact = BigInt(whole) * BigInt(given[index] ?? 0);
          expect(BigInt(share) * total >= exact - total + 1n && BigInt(share) * total < exact + total).to.equal(true);
          if (given[index] === 0) expect(share).to.equal(0);
        }
      }),
    );
  });

  it('of pieces add up to the whole, whichever are taken first and however many at once', () => {
    fc.assert(
      fc.property(amount, splits, fc.array(fc.nat(1000), { minLength: 5, maxLength: 5 }), (whole, split, money) => {
        const { quantities, takes } = split;
        const shares = apportion(whole, money.slice(0, quantities.length));
        const before = quantities.map(() => 0);
        let given = 0;
        const take = (line: number, part: number): void => {
          const [of, taken] = [quantities[line] ?? 0, before[line] ?? 0];
          const qty = Math.ceil((of - taken) * part);
          if (qty === 0) return;
          const worth = ofPieces(shares[line] ?? 0, { before: taken, qty, of });
          expect(worth).to.be.at.least(0);
          given += worth;
          before[line] = taken + qty;
        };
        for (const [line, part] of takes) take(line, part);
        expect(given).to.be.at.most(whole);
        for (const line of quantities.keys()) take(line, 1);
        expect(given).to.equal(whole);
      }),
    );
  });

  it('of a piece are as many as were rounded down for all before it leave', () => {
    const pieces = [0, 1, 2].map((before) => ofPieces(100, { before, qty: 1, of: 3 }));
    expect(pieces).to.deep.equal([33, 33, 34]);
    expect(ofPieces(100, { before: 1, qty: 2, of: 3 })).to.equal(67);
  });
});
