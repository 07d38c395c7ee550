import { expect } from 'chai';
import { transitions, type Statuses } from '#domain/orders/states.ts';
import { pauseBeforeLook, type Stage, stageOf } from './stage.ts';

const now = Date.parse('2026-11-21T04:00:00Z');
const at = (
  statuses: Statuses,
  paymentUrl: string | null = null,
  expiresAt: string | null = null,
  underReview = false,
): Stage => stageOf({ ...statuses, paymentUrl, expiresAt, underReview }, now);

describe('the stages of a checkout', () => {
  it('has one for each transition of the specification', () => {
    expect(at(transitions.created())).to.equal('payable');
    expect(at(transitions.reservationUnknown(true))).to.equal('pointsUnknown');
    expect(at(transitions.doneWithoutCash())).to.equal('completed');
    expect(at(transitions.paid())).to.equal('paid');
    expect(at(transitions.rejectedByGateway(true))).to.equal('refused');
    expect(at(transitions.expired(false))).to.equal('timedOut');
    expect(at(transitions.cancelledBeforePay())).to.equal('cancelled');
    expect(at(transitions.cancelled(true))).to.equal('cancelled');
    expect(at(transitions.refundedByStaff(true))).to.equal('refunding');
    expect(at({ ...transitions.expired(true), paymentStatus: 60 })).to.equal('refunded');
  });

  it('says what the shop has given back of a completed order', () => {
    const paid = transitions.paid();
    expect(at({ ...paid, paymentStatus: 50 })).to.equal('returning');
    expect(at({ ...paid, paymentStatus: 60 })).to.equal('returned');
    expect(at({ ...paid, pointsStatus: 50, paymentStatus: 60 })).to.equal('returned');
    expect(at({ ...paid, paymentStatus: 70 })).to.equal('partlyReturned');
    expect(at({ ...transitions.doneWithoutCash(), pointsStatus: 50 })).to.equal('pointsReturned');
  });

  it('tells a link that is awaited from one to pay at, and from one whose time is over', () => {
    const pending = transitions.pending(true);
    expect(at(pending, null, '2026-11-21T04:00:01Z')).to.equal('preparing');
    expect(at(pending, 'https://gateway.example/pay/1', '2026-11-21T04:00:01Z')).to.equal('waiting');
    expect(at(pending, 'https://gateway.example/pay/1', '2026-11-21T04:00:00Z')).to.equal('closing');
    expect(at(pending, 'https://gateway.example/pay/1', '2026-11-21T04:00:00Z', true), 'held').to.equal('checking');
  });

  it('looks less and less often, and not at all where nothing moves', () => {
    const pauses = Array.from({ length: 40 }, (_, looks) => Number(pauseBeforeLook('waiting', looks)));
    expect(pauses[0]).to.equal(1500);
    expect(pauses).to.deep.equal(pauses.toSorted((one, other) => one - other));
    expect(pauses.at(-1)).to.equal(30_000);
    for (const stage of ['payable', 'paid', 'completed', 'refused', 'timedOut', 'cancelled', 'refunded'] as const)
      expect(pauseBeforeLook(stage, 0), stage).to.equal(false);
  });
});
