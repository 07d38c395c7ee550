import { expect } from 'chai';
import fc from 'fast-check';
import { type Arm, logEvidence, logGamma } from './evidence.ts';

const evidence = (one: Arm, other: Arm) => Math.exp(logEvidence(one, other));

/** n over k. */
function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  return Array.from({ length: k }).reduce<number>((product, _, index) => (product * (n - index)) / (index + 1), 1);
}

describe('the evidence for a difference between two variants', () => {
  it('has the logarithm of the gamma function, as factorials and as the square root of π say', () => {
    expect(logGamma(1)).to.be.closeTo(0, 1e-14);
    expect(logGamma(11)).to.be.closeTo(Math.log(3_628_800), 1e-12);
    expect(logGamma(0.5)).to.be.closeTo(Math.log(Math.PI) / 2, 1e-12);
    expect(logGamma(1_000_001) - logGamma(1_000_000)).to.be.closeTo(Math.log(1_000_000), 1e-6);
  });

  /** One conversion after the other, by hand: what the prior of 30 expects, by what is left of each variant. */
  const byHand: [one: Arm, other: Arm, expected: number][] = [
    [{ contacts: 4, converted: 0 }, { contacts: 4, converted: 0 }, 1],
    [{ contacts: 4, converted: 1 }, { contacts: 4, converted: 0 }, 1],
    [{ contacts: 4, converted: 2 }, { contacts: 4, converted: 0 }, (15 / 30 / (4 / 8)) * (16 / 31 / (3 / 7))],
    [{ contacts: 4, converted: 1 }, { contacts: 4, converted: 1 }, (15 / 30 / (4 / 8)) * (15 / 31 / (4 / 7))],
    [{ contacts: 2, converted: 2 }, { contacts: 8, converted: 0 }, (6 / 30 / (2 / 10)) * (7 / 31 / (1 / 9))],
  ];
  for (const [one, other, expected] of byHand)
    it(`is ${expected.toFixed(3)} for ${one.converted} of ${one.contacts} and ${other.converted} of ${other.contacts}`, () => {
      expect(evidence(one, other)).to.be.closeTo(expected, 1e-10);
    });

  it('is 1 on average after any number of conversions if the variants are alike', () => {
    const sizes = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(sizes, sizes, fc.nat(60), (ofOne, ofOther, number) => {
        const conversions = Math.min(number, ofOne, ofOther);
        const mean = Array.from({ length: conversions + 1 }, (_, ofFirst) => {
          const likely =
            (choose(ofOne, ofFirst) * choose(ofOther, conversions - ofFirst)) / choose(ofOne + ofOther, conversions);
          const one = { contacts: ofOne, converted: ofFirst };
          return likely * evidence(one, { contacts: ofOther, converted: conversions - ofFirst });
        }).reduce((sum, part) => sum + part, 0);
        expect(mean).to.be.closeTo(1, 1e-8);
      }),
      { numRuns: 200 },
    );
  });

  it('is the same from either side, and a number for any counts', () => {
    const arm = fc
      .integer({ min: 0, max: 2_000_000 })
      .chain((contacts) => fc.record({ contacts: fc.constant(contacts), converted: fc.nat(contacts) }));
    fc.assert(
      fc.property(arm, arm, (one, other) => {
        const found = logEvidence(one, other);
        expect(Number.isFinite(found)).to.equal(true);
        expect(found).to.be.closeTo(logEvidence(other, one), 1e-6);
      }),
    );
  });
});
