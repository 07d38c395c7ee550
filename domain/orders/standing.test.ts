import { expect } from 'chai';
import { orderPhaseMs, type OrderWork, standingOf } from './standing.ts';
import { orderStatus } from './states.ts';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const sweep = { startedAt: ago(0.1), completedAt: ago(0.1) };

const quiet: OrderWork = {
  orderStatus: orderStatus.PAYMENT_PENDING,
  changedAt: ago(600),
  undecidedSince: null,
  approvalSince: null,
  hold: null,
  refund: null,
};
const hold = {
  since: ago(10),
  isCharged: true,
  cancelRequested: false,
  expiresAt: ago(-600),
  readAt: ago(1),
  callbackSince: null,
  unansweredSince: null,
};
const refund = { since: ago(10), unpaidSince: null, unansweredSince: null };
const standing = (work: Partial<OrderWork>, runs = sweep) => {
  const found = standingOf({ ...quiet, ...work }, runs, now);
  return found && [found.phase, found.reason, found.since];
};

describe('why an order stands still', () => {
  it('asks nothing of an order that waits for its payer, or for nothing', () => {
    expect(standing({})).to.equal(null);
    expect(standing({ hold })).to.equal(null);
    expect(standing({ hold: { ...hold, since: ago(5), readAt: null } })).to.equal(null);
  });

  it('names each phase once its time is over, and not a moment before', () => {
    const works: [keyof typeof orderPhaseMs, (since: Date) => Partial<OrderWork>, string][] = [
      ['decision', (since) => ({ undecidedSince: since }), 'staff'],
      ['approval', (since) => ({ approvalSince: since }), 'approval'],
      ['reservation', (since) => ({ orderStatus: orderStatus.POINTS_UNKNOWN, changedAt: since }), 'unexplained'],
      ['charge', (since) => ({ hold: { ...hold, isCharged: false, since } }), 'unexplained'],
      ['end', (since) => ({ hold: { ...hold, expiresAt: since } }), 'unexplained'],
      ['callback', (since) => ({ hold: { ...hold, callbackSince: since } }), 'unexplained'],
      ['payment', (since) => ({ hold: { ...hold, readAt: since } }), 'unexplained'],
      ['refund', (since) => ({ refund: { ...refund, since } }), 'unexplained'],
    ];
    expect(works.map(([phase]) => phase)).to.deep.equal(Object.keys(orderPhaseMs));
    for (const [phase, workSince, reason] of works) {
      const minutes = orderPhaseMs[phase] / 60_000;
      expect(standing(workSince(ago(minutes))), phase).to.equal(null);
      const since = ago(minutes + 0.01);
      expect(standing(workSince(since)), phase).to.deep.equal([phase, reason, since]);
    }
  });

  it('expects a cancelled payment to end from the cancel on, and nothing of a flagged one but a decision', () => {
    const cancelled = { hold: { ...hold, cancelRequested: true }, changedAt: ago(2) };
    expect(standing(cancelled)).to.deep.equal(['end', 'unexplained', ago(2)]);
    expect(standing({ ...cancelled, undecidedSince: ago(2) })).to.equal(null);
    expect(standing({ ...cancelled, undecidedSince: ago(61) })).to.deep.equal(['decision', 'staff', ago(61)]);
  });

  it('says what is known of worker and gateway, and of money that is not there', () => {
    const overdue = { hold: { ...hold, readAt: ago(20), unansweredSince: ago(15) } };
    expect(standing(overdue)?.[1]).to.equal('gateway_away');
    expect(standingOf({ ...quiet, ...overdue }, sweep, now)?.reasonSince).to.deep.equal(ago(15));
    expect(standing(overdue, { startedAt: ago(3), completedAt: ago(3) })?.[1]).to.equal('worker_away');
    expect(standing(overdue, { startedAt: ago(0), completedAt: ago(3) })?.[1]).to.equal('engine_away');
    const unpaid = { ...refund, unpaidSince: ago(8) };
    expect(standing({ refund: unpaid })?.[1]).to.equal('money_not_shown');
    expect(standing({ refund: { ...unpaid, unansweredSince: ago(2) } })?.[1]).to.equal('gateway_away');
  });
});
