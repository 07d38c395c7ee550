import * as fc from 'fast-check';
import { orderStatus } from '#domain/orders/states.ts';
import { mayBe, type Model, type Wish } from './model.ts';
import { faultKinds, type PlannedFault } from './gateway-faults.ts';
import { callbacksComeAgain, expire, gatewayFails, moneyComes, type Payment, readsComeDue } from './gateway-steps.ts';
import { type DeskRefund, deskRefunds, disputeEnds, disputeOpens, type DisputeWish } from './desk-steps.ts';
import { cancel, create, pay, payStalled } from './payer-steps.ts';
import type { Real } from './real.ts';
import {
  changePoints,
  changeStock,
  type LinesWish,
  refund,
  refundLines,
  refundsRunTwice,
  type RefundWish,
  renameGoods,
  resolve,
  settleRefunds,
} from './staff-steps.ts';
import { aimed, always, command, type Plan, type Step, type Suits, together } from './step.ts';

const { CREATED, PAYMENT_PENDING: PENDING, DONE } = orderStatus;

/** Few orders, so that steps meet. */
const number = fc.nat({ max: 3 });
const points = fc.constantFrom(0, 0, 3);
const wallet = fc.constantFrom(0, 0, 4, 8);
const coupon = fc.constantFrom(null, null, 0, 1);

const plain = fc
  .record({ goods: fc.constant(null), qty: fc.constant(0), cash: fc.boolean(), tenant: points, wallet, coupon })
  // Something has to be payable, in whatever way.
  .map((wish): Wish => {
    if (wish.cash) return wish;
    return { ...wish, wallet: 0, tenant: wish.tenant === 0 && wish.coupon === null ? 3 : wish.tenant };
  });
const withGoods = fc.record({
  goods: fc.constantFrom('limited' as const, 'limited' as const, 'unlimited' as const),
  qty: fc.constantFrom(1, 1, 2, 3),
  cash: fc.constant(true),
  tenant: fc.constant(0),
  wallet,
  coupon,
});
const wish: fc.Arbitrary<Wish> = fc.oneof(plain, withGoods, withGoods);

const payment: fc.Arbitrary<Payment> = fc.record({
  which: fc.nat({ max: 2 }),
  late: fc.boolean(),
  callback: fc.constantFrom('sent', 'sent', 'twice', 'lost'),
  wrong: fc.constantFrom(null, null, null, null, 'record', 'callback'),
});
const refundWish: fc.Arbitrary<RefundWish> = fc.record({
  amount: fc.constantFrom<RefundWish['amount'][]>('rest', 'rest', 1),
  restorePoints: fc.boolean(),
  restock: fc.boolean(),
});
const linesWish: fc.Arbitrary<LinesWish> = fc.record({
  qty: fc.constantFrom(1, 1, 2),
  restorePoints: fc.boolean(),
  restock: fc.boolean(),
});
const deskRefund: fc.Arbitrary<DeskRefund> = fc.record({
  amount: fc.constantFrom<DeskRefund['amount'][]>('rest', 1, 1),
  told: fc.constantFrom('once', 'once', 'twice', 'late'),
});
const outcome = fc.constantFrom('won' as const, 'lost' as const);
const disputeWish: fc.Arbitrary<DisputeWish> = fc.record({
  amount: fc.constantFrom<DisputeWish['amount'][]>('all', 1),
  told: fc.constantFrom('once', 'once', 'twice', 'backwards'),
  outcome,
});
const fault: fc.Arbitrary<PlannedFault> = fc
  .constantFrom('create', 'create', 'read', 'cancel', 'refund')
  .chain((operation) => fc.constantFrom(...faultKinds[operation]).map((kind) => ({ operation, kind })));

const sometimes = fc.constantFrom(false, false, false, true);
/** Of the right kind mostly, or any: what cannot be done must be refused. */
const any: Suits = () => true;
const mostly = (suits: Suits): fc.Arbitrary<Suits> => fc.constantFrom(suits, suits, suits, suits, suits, suits, any);
const plan = <Given>(suits: Suits, given: fc.Arbitrary<Given>, make: (index: number, given: Given) => Step) =>
  fc
    .tuple(mostly(suits), number, given)
    .map(([chosen, of, how]): Plan => aimed(chosen, of, (index) => make(index, how)));
const nothing = fc.constant(null);

const toPay: Suits = (order) => mayBe(order, CREATED);
const open: Suits = (order) => mayBe(order, CREATED, PENDING);
const unpaid: Suits = (order) => mayBe(order, CREATED) && order.total > 0;
const pending: Suits = (order) => mayBe(order, PENDING);
const charged: Suits = ({ held, total }) => held && total > 0;
const done: Suits = (order) => mayBe(order, DONE);
const disputed: Suits = (order) => order.disputed;

const creates = fc.tuple(wish, sometimes).map(([wish, twice]) => always(create(wish, twice)));
const pays = fc.oneof(
  { weight: 4, arbitrary: plan(toPay, nothing, (of) => pay(of)) },
  { weight: 1, arbitrary: plan(open, nothing, (of) => pay(of)) },
  { weight: 1, arbitrary: plan(toPay, nothing, (of) => pay(of, { brief: true })) },
  { weight: 1, arbitrary: plan(open, nothing, (of) => pay(of, { times: 3 })) },
  { weight: 1, arbitrary: plan(unpaid, nothing, payStalled) },
);
const money = fc.oneof(
  plan(pending, fc.tuple(payment, fc.boolean()), (of, [how, patient]) => moneyComes(of, how, patient)),
  plan(charged, fc.tuple(payment, fc.boolean()), (of, [how, patient]) => moneyComes(of, how, patient)),
);
const callbacks = plan(charged, fc.boolean(), callbacksComeAgain);
const cancels = plan(open, nothing, cancel);
const expiries = plan(pending, nothing, expire);
const decisions = plan(disputed, fc.constantFrom('complete' as const, 'refund' as const), resolve);
const refunds = plan(done, refundWish, refund);
const paid: Suits = (order) => done(order) && order.total > 0;
const ofGoods: Suits = (order) => paid(order) && order.goods !== null;
const contested: Suits = (order) => paid(order) && order.contested;
const byLine = plan(ofGoods, linesWish, refundLines);
const atTheDesk = plan(paid, deskRefund, deskRefunds);
const claims = plan(paid, disputeWish, disputeOpens);
const verdicts = plan(contested, fc.tuple(outcome, fc.boolean()), (of, [how, twice]) => disputeEnds(of, how, twice));
const stuck = fc.constantFrom('retry' as const, 'done_elsewhere' as const).map((how) => always(settleRefunds(how)));
const pointChanges = fc
  .tuple(fc.constantFrom('tenant' as const, 'wallet' as const), fc.constantFrom(-8, -2, 4))
  .map(([kind, delta]) => always(changePoints(kind, delta)));
const stockChanges = fc.constantFrom(-3, -1, 2).map((delta) => always(changeStock(delta)));
const others = fc.constantFrom(readsComeDue, refundsRunTwice, renameGoods).map((step) => always(step()));
const faults = fault.map((one) => always(gatewayFails(one)));

const racing = fc.oneof(
  pays,
  money,
  callbacks,
  cancels,
  expiries,
  decisions,
  refunds,
  byLine,
  atTheDesk,
  claims,
  verdicts,
  stockChanges,
);

/** How often each kind is drawn. */
const weights: [times: number, plans: fc.Arbitrary<Plan>][] = [
  [2, creates],
  [4, pays],
  [5, money],
  [1, callbacks],
  [1, cancels],
  [1, expiries],
  [2, decisions],
  [3, refunds],
  [3, byLine],
  [2, atTheDesk],
  [2, claims],
  [2, verdicts],
  [1, stuck],
  [1, pointChanges],
  [1, stockChanges],
  [3, faults],
  [1, others],
];

/** Sequences of what payer, gateway, staff and time do, a few of it at the same time. */
export const sequences = (): fc.Arbitrary<Iterable<fc.AsyncCommand<Model, Real>>> => {
  const single = weights.flatMap(([times, plans]) => Array.from({ length: times }, () => plans.map(command)));
  const races = Array.from({ length: 4 }, () => fc.tuple(racing, racing).map(([one, other]) => together(one, other)));
  return fc.commands([...single, ...races], { maxCommands: 16, size: 'max' });
};

const unpaidYet = plan(toPay, nothing, (of) => pay(of));
const promptly: Payment = { which: 0, late: false, callback: 'sent', wrong: null };
/** An order that is completed before anything else happens, so that there is money to give back. */
const bought = fc
  .tuple(
    withGoods,
    plan(toPay, nothing, (of) => pay(of)),
    plan(pending, nothing, (of) => moneyComes(of, promptly, true)),
  )
  .map(([one, paying, receipt]) => [always(create(one, false)), paying, receipt].map(command));

/** What every sequence begins with: orders, most of them with a payment in progress, and in most cases one that is paid. */
export const openings = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: bought }, { weight: 1, arbitrary: fc.constant([]) }),
    fc.array(creates.map(command), { minLength: 1, maxLength: 3 }),
    fc.array(unpaidYet.map(command), { maxLength: 3 }),
  )
  .map(([first, orders, payments]) => [...first, ...orders, ...payments]);
