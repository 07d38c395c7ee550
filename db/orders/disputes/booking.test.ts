import { expect } from 'chai';
import * as fc from 'fast-check';
import { fromMinor } from '#domain/orders/money.ts';
import { openedPayment, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { findDriftingOrders } from '../books/cash-check.ts';
import { completePayment } from '../charges/ends.ts';
import { recordRead } from '../charges/reads.ts';
import { findRefundReport, recordRefundReport } from '../events/refund-reports.ts';
import { findStaffOrder } from '../staff.ts';
import { Dispute } from '../models/disputes.ts';
import { Refund } from '../models/refunds.ts';
import { bookReportedRefund } from '../refunds/reported.ts';
import { confirmRefund, refundableMinor, refundedOfCharge } from '../refunds/refunds.ts';
import { requestRefund } from '../refunds/requests.ts';
import { bookDisputeReport } from './booking.ts';
import { disputesOf } from './find.ts';
import { findDisputeReport, recordDisputeReport } from './reports.ts';

/** Sequences; `npm run test:all` draws more. */
const RUNS = Number(process.env['DISPUTE_SEQUENCES'] ?? 15);

const RECEIVED = 1000;
const shown = { status: 'paid' as const, amount: 1000, currency: 'TWD', shopId: 'paygw-shop' };

type Move =
  | { move: 'open' | 'refund' | 'desk'; amountMinor: number }
  | { move: 'close'; which: number; outcome: 'won' | 'lost' }
  | { move: 'confirm' };

const amountMinor = fc.constantFrom(100, 250, 400, 700, 1000, 1300);
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    move: fc.constantFrom('open' as const, 'open' as const, 'refund' as const, 'desk' as const),
    amountMinor,
  }),
  fc.record({
    move: fc.constant('close' as const),
    which: fc.nat({ max: 3 }),
    outcome: fc.constantFrom('won' as const, 'lost' as const),
  }),
  fc.constant({ move: 'confirm' as const }),
);

/** The first of two that claim more than there is is won. */
const freed: Move[] = [
  { move: 'open', amountMinor: 700 },
  { move: 'open', amountMinor: 700 },
  { move: 'close', which: 1, outcome: 'won' },
];

describe('the money of disputes and refunds together', function () {
  this.timeout(120_000);
  const database = useDatabase('orders');
  before(() => seedTenants(database));
  let serial = 0;

  async function paid(): Promise<string> {
    const orderId = `o-${(serial += 1)}`;
    await seedOrder(database, orderId);
    await openedPayment(database, orderId, { chargeId: `ch-${orderId}` });
    const ref = { orderId, attempt: 1 };
    await recordRead(database, ref, { ...shown, amount: fromMinor(RECEIVED), paidAt: null });
    await completePayment(database, ref, 'gateway');
    return orderId;
  }

  /** Whatever the gateway reports, it shows: what is booked, and so much more. */
  const chargeOf = async (chargeId: string, moreMinor = 0) => ({
    ...shown,
    refundedAmount: fromMinor((await refundedOfCharge(database, chargeId)) + moreMinor),
    disputedAmount: null,
  });

  async function report(told: Parameters<typeof recordDisputeReport>[1]): Promise<void> {
    await recordDisputeReport(database, told, JSON.stringify(told));
    const stored = await findDisputeReport(database, told.eventId);
    const dispute = await Dispute.query(database).findById(told.disputeId);
    const chargeId = 'chargeId' in told ? told.chargeId : (dispute?.chargeId ?? '');
    if (stored?.orderId) await bookDisputeReport(database, { stored, charge: await chargeOf(chargeId) });
  }

  const dueAt = '2026-12-01T00:00:00Z';
  async function make(orderId: string, wanted: Move): Promise<void> {
    const eventId = `e-${(serial += 1)}`;
    const chargeId = `ch-${orderId}`;
    switch (wanted.move) {
      case 'open': {
        const amount = fromMinor(wanted.amountMinor);
        const about = { chargeId, disputeId: `d-${eventId}`, amount, reason: 'fraudulent', dueAt };
        return report({ eventId, type: 'charge.disputed', ...about });
      }
      case 'close': {
        const disputes = await disputesOf(database, orderId);
        const dispute = disputes[wanted.which % Math.max(1, disputes.length)];
        if (!dispute) return;
        const { disputeId } = dispute;
        return report({ eventId, type: 'charge.dispute_closed', disputeId, outcome: wanted.outcome });
      }
      case 'refund': {
        const body = { amount: fromMinor(wanted.amountMinor), reason: 'returned', key: eventId };
        const by = { userId: 's-1', name: 'Staff' };
        const before = await refundableMinor(database, orderId);
        const decided = await requestRefund(database, { orderId, body, by }, () => Promise.resolve());
        expect(decided.kind).to.equal(wanted.amountMinor > before ? 'malformed' : 'accepted');
        return;
      }
      case 'desk': {
        const told = {
          eventId,
          type: 'charge.refunded' as const,
          chargeId,
          refundId: eventId,
          amount: fromMinor(wanted.amountMinor),
        };
        await recordRefundReport(database, told, JSON.stringify(told));
        const stored = await findRefundReport(database, eventId);
        if (stored) await bookReportedRefund(database, stored, await chargeOf(chargeId, wanted.amountMinor));
        return;
      }
      case 'confirm': {
        const open = await Refund.query(database).findOne({ orderId, status: 'pending' });
        if (open) await confirmRefund(database, open);
      }
    }
  }

  /** What holds after every move. */
  async function expectSound(orderId: string): Promise<void> {
    const { drifting } = await findDriftingOrders(database, { after: '', limit: 10_000 });
    expect(drifting.filter((order) => order.orderId === orderId)).to.deep.equal([]);
    const disputes = await disputesOf(database, orderId);
    const open = disputes.filter(({ status }) => status === 'open');
    const held = open.reduce((sum, { bookedMinor }) => sum + bookedMinor, 0);
    const refunds = await Refund.query(database).where({ orderId });
    const refunded = refunds.reduce((sum, refund) => sum + (refund.amountMinor ?? 0), 0);
    expect(refunded + held).to.be.at.most(RECEIVED);
    expect(await refundableMinor(database, orderId)).to.equal(RECEIVED - refunded - held);
    // What is claimed is held as far as the money reaches.
    if (open.some((dispute) => dispute.bookedMinor < dispute.amountMinor)) expect(refunded + held).to.equal(RECEIVED);
    for (const dispute of disputes)
      expect(dispute.needsStaff).to.equal(dispute.status !== 'won' && dispute.bookedMinor < dispute.amountMinor);
    const lost = refunds.filter(({ origin }) => origin === 'dispute').map((refund) => refund.amountMinor);
    const booked = disputes.flatMap(({ status, bookedMinor }) =>
      status === 'lost' && bookedMinor > 0 ? [bookedMinor] : [],
    );
    expect(lost.toSorted()).to.deep.equal(booked.toSorted());
    const order = await findStaffOrder(database, { staffTenantId: 'shop', withMembers: true, orderId });
    expect(order?.flags).to.deep.equal(open.length > 0 ? ['disputed'] : []);
    const confirmed = refunds.every(({ status }) => status === 'confirmed');
    const payment = refunded === 0 ? 30 : !confirmed ? 50 : refunded < RECEIVED ? 70 : 60;
    expect(order?.paymentStatus).to.equal(payment);
  }

  it('counts a refund in full that the gateway made while it was cut, and takes that from the others', async () => {
    const orderId = await paid();
    const open = () => Refund.query(database).where({ orderId, origin: 'service' }).orderBy('amountMinor');
    for (const minor of [300, 600]) await make(orderId, { move: 'refund', amountMinor: minor });
    const [, asked] = await open();
    await make(orderId, { move: 'desk', amountMinor: 300 });
    expect((await open()).map(({ amountMinor: minor, status }) => [minor, status])).to.deep.equal([
      [300, 'pending'],
      [400, 'needs_staff'],
    ]);
    if (!asked) throw new Error('two refunds');
    await confirmRefund(database, asked, 'gw-refund');
    const after = (await open()).map((refund) => [refund.amountMinor, refund.status, refund.gatewayRefundId]);
    expect(after).to.deep.equal([
      [100, 'needs_staff', null],
      [600, 'confirmed', 'gw-refund'],
    ]);
    await expectSound(orderId);
    await confirmRefund(database, asked, 'gw-refund');
    await expectSound(orderId);
  });

  it('takes what is lost from what is merely asked for, which waits for staff, but not what went back untold', async () => {
    const orderId = await paid();
    const own = () => Refund.query(database).where({ orderId, origin: 'service' }).first().throwIfNotFound();
    await make(orderId, { move: 'refund', amountMinor: 800 });
    await make(orderId, { move: 'open', amountMinor: 700 });
    await make(orderId, { move: 'close', which: 0, outcome: 'lost' });
    expect(await own()).to.include({ amountMinor: 300, status: 'needs_staff' });
    expect((await disputesOf(database, orderId))[0]).to.include({ bookedMinor: 700, needsStaff: false });
    await expectSound(orderId);
    await confirmRefund(database, await own());
    await expectSound(orderId);

    const other = await paid();
    await make(other, { move: 'refund', amountMinor: 800 });
    await make(other, { move: 'open', amountMinor: 700 });
    const [dispute] = await disputesOf(database, other);
    const told = { eventId: `end-${other}`, type: 'charge.dispute_closed', outcome: 'lost' } as const;
    const closure = { ...told, disputeId: dispute?.disputeId ?? '' };
    await recordDisputeReport(database, closure, JSON.stringify(closure));
    const stored = await findDisputeReport(database, closure.eventId);
    if (!stored) throw new Error('it is recorded');
    await bookDisputeReport(database, { stored, charge: await chargeOf(`ch-${other}`, 800) });
    expect((await disputesOf(database, other))[0]).to.include({ bookedMinor: 200, needsStaff: true });
    await expectSound(other);
  });

  it('never takes more than was received, and every cent is accounted for', () =>
    fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 10 }), async (moves) => {
        const orderId = await paid();
        for (const wanted of moves) {
          await make(orderId, wanted);
          await expectSound(orderId);
        }
      }),
      { numRuns: RUNS, examples: [[freed]] },
    ));
});
