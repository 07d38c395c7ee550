import { expect } from 'chai';
import fc from 'fast-check';
import { type Arm, differenceOf, ENOUGH_CONVERSIONS, liftOf, wilsonInterval } from './lift.ts';

/** `56/70` */
function armOf(text: string): Arm {
  const [converted = 0, contacts = 0] = text.split('/').map(Number);
  return { converted, contacts };
}

const arm = fc
  .integer({ min: 1, max: 1_000_000 })
  .chain((contacts) => fc.record({ contacts: fc.constant(contacts), converted: fc.nat(contacts) }));

describe('the difference of two arms', () => {
  /** Newcombe 1998, table II, method 10: to four digits. */
  const published: [first: string, second: string, low: number, high: number][] = [
    ['56/70', '48/80', 0.0524, 0.3339],
    ['9/10', '3/10', 0.1705, 0.809],
    ['6/7', '2/7', 0.0582, 0.8062],
    ['5/56', '0/29', -0.0381, 0.1926],
    ['0/10', '0/20', -0.1611, 0.2775],
    ['0/10', '0/10', -0.2775, 0.2775],
    ['10/10', '0/20', 0.6791, 1],
    ['10/10', '0/10', 0.6075, 1],
  ];
  for (const [first, second, low, high] of published)
    it(`has the published interval for ${first} and ${second}`, () => {
      const found = differenceOf(armOf(first), armOf(second));
      expect(found.low).to.be.closeTo(low, 0.000_051);
      expect(found.high).to.be.closeTo(high, 0.000_051);
    });

  it('has Wilson’s interval of one arm: 81/263 is published as 0.2553 to 0.3662', () => {
    const { low, high } = wilsonInterval(armOf('81/263'));
    expect(low).to.be.closeTo(0.2553, 0.000_051);
    expect(high).to.be.closeTo(0.3662, 0.000_051);
  });

  it('is in its interval, which stays within −1 and 1 and turns around if the arms are swapped', () => {
    fc.assert(
      fc.property(arm, arm, (first, second) => {
        const { value, low, high } = differenceOf(first, second);
        const swapped = differenceOf(second, first);
        expect(low).to.be.at.most(value);
        expect(high).to.be.at.least(value);
        expect(low).to.be.at.least(-1 - 1e-12);
        expect(high).to.be.at.most(1 + 1e-12);
        expect(swapped.low).to.be.closeTo(-high, 1e-12);
        expect(swapped.high).to.be.closeTo(-low, 1e-12);
      }),
    );
  });

  it('is narrower with ten times the contacts', () => {
    fc.assert(
      fc.property(arm, arm, (first, second) => {
        const width = (times: number) => {
          const of = ({ contacts, converted }: Arm) => ({ contacts: contacts * times, converted: converted * times });
          const { low, high } = differenceOf(of(first), of(second));
          return high - low;
        };
        expect(width(10)).to.be.lessThan(width(1));
      }),
    );
  });
});

describe('the lift of a campaign', () => {
  const of = (sent: string, control: string) => liftOf(armOf(sent), armOf(control));

  it('says nothing below 100 conversions in either arm', () => {
    const nothing = { verdict: 'too_few', difference: null, relative: null };
    expect(of(`${ENOUGH_CONVERSIONS - 1}/1000`, '500/1000')).to.deep.equal(nothing);
    expect(of('500/1000', `${ENOUGH_CONVERSIONS - 1}/1000`)).to.deep.equal(nothing);
    expect(of('0/0', '0/0')).to.deep.equal(nothing);
    expect(of(`${ENOUGH_CONVERSIONS}/1000`, `${ENOUGH_CONVERSIONS}/1000`).verdict).to.equal('unclear');
  });

  it('says more or less only where no difference is out of the interval', () => {
    expect(of('1200/9000', '100/1000').verdict).to.equal('higher');
    expect(of('900/9000', '150/1000').verdict).to.equal('lower');
    expect(of('950/9000', '100/1000').verdict).to.equal('unclear');
  });

  it('has the difference as a share of the control group’s', () => {
    const { difference, relative } = of('1200/10000', '100/1000');
    expect(difference?.value).to.be.closeTo(0.02, 1e-12);
    expect(relative).to.be.closeTo(0.2, 1e-12);
  });
});
