import { expect } from 'chai';
import { chargeDifference, type OurCharge, type TheirCharge } from './charge-comparison.ts';

const paid: TheirCharge = { status: 'paid', amount: 10, currency: 'TWD', refundedAmount: 0, disputedAmount: null };
const known: OurCharge = {
  orderId: 'o',
  acceptedMinor: null,
  currency: 'TWD',
  refundedMinor: 0,
  refundedElsewhereMinor: 0,
  refundingMinor: 0,
  disputedMinor: 0,
  unaccepted: null,
  ignored: false,
};
const accepted: OurCharge = { ...known, acceptedMinor: 1000 };

const differs = (oursMinor: number, theirsMinor: number) => ({ kind: 'amount_differs', oursMinor, theirsMinor });

const cases: [what: string, theirs: Partial<TheirCharge>, ours: OurCharge, expected: unknown][] = [
  ['nothing, where both have the same', {}, accepted, null],
  ['nothing for a charge that was never paid', { status: 'cancelled' }, known, null],
  ['money that only they have', {}, known, { kind: 'paid_there_only', oursMinor: null, theirsMinor: 1000 }],
  ['an unknown order', {}, { ...known, orderId: null }, { kind: 'unknown_order', oursMinor: null, theirsMinor: 1000 }],
  ['another amount', { amount: 9.99 }, accepted, differs(1000, 999)],
  ['an amount with three decimals', { amount: 10.001 }, accepted, differs(1000, 1000)],
  ['another currency', { currency: 'USD' }, accepted, differs(1000, 1000)],
  ['a refund that only they know', { refundedAmount: 4 }, accepted, differs(1000, 600)],
  ['a refund that only we know', {}, { ...accepted, refundedMinor: 400 }, differs(600, 1000)],
  ['nothing, where both know of a part', { refundedAmount: 4 }, { ...accepted, refundedMinor: 400 }, null],
  ['nothing, where both know of a dispute', { disputedAmount: 4 }, { ...accepted, disputedMinor: 400 }, null],
  ['a dispute that only they know', { disputedAmount: 4 }, accepted, differs(1000, 600)],
  ['a dispute that only we know', { disputedAmount: 0 }, { ...accepted, disputedMinor: 400 }, differs(600, 1000)],
  ['nothing, where they do not tell of disputes', {}, { ...accepted, disputedMinor: 400 }, null],
  [
    'nothing, where more is claimed than was left',
    { refundedAmount: 8, disputedAmount: 10 },
    { ...accepted, refundedMinor: 800, disputedMinor: 200 },
    null,
  ],
  ['nothing, where all is disputed of money that no order accepts', { disputedAmount: 10 }, known, null],
  ['nothing, where all was refunded', { status: 'refunded' }, { ...accepted, refundedMinor: 1000 }, null],
  ['nothing while a refund is under way', {}, { ...accepted, refundingMinor: 400 }, null],
  ['nothing once it has arrived there', { refundedAmount: 4 }, { ...accepted, refundingMinor: 400 }, null],
  ['nothing for a refund done elsewhere', {}, { ...accepted, refundedElsewhereMinor: 400 }, null],
  ['nothing for late money that is being refunded', {}, { ...known, unaccepted: 'open' }, null],
  ['nothing for late money refunded', { status: 'refunded' }, { ...known, unaccepted: 'confirmed' }, null],
  ['late money that they have not refunded', {}, { ...known, unaccepted: 'confirmed' }, differs(0, 1000)],
  ['nothing for late money refunded elsewhere', {}, { ...known, unaccepted: 'done_elsewhere' }, null],
  ['nothing for money that staff ignore', {}, { ...known, orderId: null, ignored: true }, null],
  ['nothing for an unknown order that was refunded there', { status: 'refunded' }, { ...known, orderId: null }, null],
];

describe('the comparison of a charge with the payment gateway', () => {
  for (const [what, theirs, ours, expected] of cases) {
    it(`B15: finds ${what}`, () => {
      expect(chargeDifference({ ...paid, ...theirs }, ours)).to.deep.equal(expected);
    });
  }
});
