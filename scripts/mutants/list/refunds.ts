import type { Mutant } from '../mutant.ts';

const refunds = 'db/orders/refunds/refunds.ts';
const decided = ['api/orders/routes/administration/approvals.test.ts'];
const money = ['db/orders/refunds/refunds.test.ts'];
const requests = 'db/orders/refunds/requests.ts';
const disputes = ['db/orders/disputes/booking.test.ts'];

/** Money that goes back. */
export const ofRefunds: readonly Mutant[] = [
  {
    file: refunds,
    from: '`${unrefunded} - ${disputed}`',
    to: '`${unrefunded}`',
    tests: disputes,
    why: 'money that is disputed is refunded as well',
  },
  {
    file: 'db/orders/disputes/held.ts',
    from: `dispute.chargeId === accepted ? Math.min(dispute.amountMinor, left) : 0`,
    to: `dispute.chargeId === accepted ? dispute.amountMinor : 0`,
    tests: disputes,
    why: 'a dispute takes more than was left of its charge',
  },
  {
    file: 'db/orders/disputes/booking.ts',
    from: 'await holdDisputed(transaction, orderId, `won:${disputeId}`);',
    to: '',
    tests: disputes,
    why: 'what a won dispute frees is not held for another one',
  },
  {
    file: 'db/orders/disputes/booking.ts',
    from: 'Math.max(bookedMinor, Math.min(dispute.amountMinor, left))',
    to: 'bookedMinor',
    tests: disputes,
    why: 'money that a dispute took stays with the gateway in our books',
  },
  {
    file: refunds,
    from: `and r.kind = 'staff'), 0)::bigint`,
    to: `and r.kind = 'staff' and r.status = 'confirmed'), 0)::bigint`,
    tests: money,
    why: 'two refunds at once give back more than was paid',
  },
  {
    file: refunds,
    from: `.whereIn('status', from)`,
    to: '',
    tests: money,
    why: 'a refund is applied twice',
  },
  {
    file: 'db/orders/refunds/decide.ts',
    from: `on conflict (refund_id) do nothing returning 1`,
    to: `on conflict (refund_id) do update set status = 'pending' returning 1`,
    tests: ['db/orders/events/events.test.ts'],
    why: 'money that was given back is given back again',
  },
  {
    file: requests,
    from: 'Number.isNaN(amountMinor) || amountMinor > leftMinor',
    to: 'Number.isNaN(amountMinor) || amountMinor > leftMinor + 1',
    tests: money,
    why: 'more is refunded than was paid',
  },
  {
    file: requests,
    from: `if (restock && whole.some(`,
    to: `if (restock && !whole.some(`,
    tests: money,
    why: 'goods go back to stock twice',
  },
  {
    file: requests,
    from: `if (!isDeepStrictEqual(earlier.request, wishOf(body))) return`,
    to: `if (earlier.request === null) return`,
    tests: money,
    why: 'another refund is answered with the one that its key stands for',
  },
  {
    file: 'domain/orders/lines.ts',
    from: 'if (qty > all - (refunded.get(lineId) ?? 0))',
    to: 'if (qty > all)',
    tests: ['domain/orders/lines.test.ts'],
    why: 'a piece is refunded twice',
  },
  {
    file: requests,
    from: `amountMinor > leftMinor ? malformed('/lines'`,
    to: `amountMinor < 0 ? malformed('/lines'`,
    tests: ['db/orders/refunds/lines.test.ts'],
    why: 'pieces are refunded beyond what is left of the money',
  },
  {
    file: 'domain/orders/administration/approvals.ts',
    from: 'given.amountMinor + given.earlierMinor > aboveMinor',
    to: 'given.amountMinor > aboveMinor',
    tests: ['domain/orders/administration/approvals.test.ts'],
    why: 'one person refunds any amount, in parts',
  },
  {
    file: 'domain/orders/administration/approvals.ts',
    from: 'given.currency !== currency || given',
    to: 'given',
    tests: ['domain/orders/administration/approvals.test.ts'],
    why: 'one person refunds any amount of another currency',
  },
  {
    file: 'api/orders/routes/administration/approvals.ts',
    from: 'const isOwn = requestedBy === payer.userId;',
    to: 'const isOwn = false;',
    tests: decided,
    why: 'whoever asks for a refund approves it',
  },
  {
    file: 'api/orders/routes/administration/approvals.ts',
    from: "if (isOwn === (outcome === 'withdraw')) return;",
    to: "if (outcome === 'withdraw' || !isOwn) return;",
    tests: decided,
    why: 'anybody withdraws what another member of staff has asked for',
  },
];
