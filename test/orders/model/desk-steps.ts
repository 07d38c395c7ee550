import { rows } from '#db/database.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { FakeCharge, FakeRefund } from '../support/fake-gateway.ts';
import { type Model, mustBe } from './model.ts';
import { keptCharge, leftOf, type OpenedDispute, type Real, type Reply } from './real.ts';
import { orderAt, placed, type Step } from './step.ts';

/** Money that moves at the gateway without a request of the service: refunds at its desk, and disputes. */

const done: Reply = { code: 1000 };
const codeOf = ({ status }: Response): Reply => ({ code: status === 200 ? 1000 : status });
const worst = (replies: Reply[]): Reply => replies.find(({ code }) => code !== 1000) ?? done;

/** The charge of an order that is certainly completed: nothing else is known to be accepted. */
function acceptedCharge(model: Model, real: Real, number: number): FakeCharge | undefined {
  return mustBe(orderAt(model, number), orderStatus.DONE) ? keptCharge(real, placed(model, real, number)) : undefined;
}

const contest = (model: Model, real: Real, number: number): void => {
  if (acceptedCharge(model, real, number)) orderAt(model, number).contested = true;
};

/** It is told of, and booked or left to staff. */
const untilBooked = ({ observer, tenantId }: Real, { refundId }: FakeRefund): Promise<unknown> =>
  eventually(
    'the refund at the desk is booked',
    async () => {
      const open = await rows(
        observer,
        `select from gateway_event e join customer_order o using (order_id)
         where o.tenant_id = :tenantId and e.type = 'charge.refunded' and e.status = 'stored'
           and e.body like '%' || :refundId || '%'`,
        { tenantId, refundId },
      );
      return open.length === 0;
    },
    { timeoutMs: 60_000 },
  );

export interface DeskRefund {
  amount: 'rest' | 1;
  /** `late`: only once everything else is over. */
  told: 'once' | 'twice' | 'late';
}

/** The gateway's staff give money back. */
export const deskRefunds = (number: number, { amount, told }: DeskRefund): Step => ({
  text: `deskRefunds(${number}, ${JSON.stringify({ amount, told })})`,
  expects: () => new Set([1000]),
  foresee: (model, real) => contest(model, real, number),
  act: async (model, real) => {
    const charge = acceptedCharge(model, real, number);
    const left = charge ? leftOf(charge) : 0;
    if (!charge || left <= 0) return done;
    const { gateway } = real.shop;
    const refund = gateway.refundAtDesk(charge, amount === 'rest' ? left : Math.min(left, amount));
    real.count(`refund at the desk, told ${told}`);
    if (told === 'late') real.untold.push({ charge, refund });
    if (told === 'late') return done;
    const times = Array.from({ length: told === 'twice' ? 2 : 1 });
    const replies = await Promise.all(times.map(async () => codeOf(await gateway.reportRefund(charge, refund))));
    await untilBooked(real, refund);
    return worst(replies);
  },
});

/** The gateway tells of refunds at last. */
export async function tellOfRefunds(real: Real): Promise<void> {
  const { shop, untold } = real;
  for (const { charge, refund } of untold.splice(0)) {
    await shop.gateway.reportRefund(charge, refund);
    await untilBooked(real, refund);
  }
}

const tellOpened = async ({ shop }: Real, { charge, dispute }: OpenedDispute): Promise<Reply> =>
  codeOf(await shop.gateway.reportDispute(charge, dispute));

/** The gateway decides: what is won it shows no more. */
function decide({ shop, count }: Real, opened: OpenedDispute, outcome: 'won' | 'lost'): void {
  opened.outcome = outcome;
  count(`dispute ${outcome}`);
  if (outcome === 'won') shop.gateway.winDispute(opened.charge, opened.dispute);
}

const tellEnded = async ({ shop }: Real, { charge, dispute, outcome }: OpenedDispute): Promise<Reply> =>
  outcome === null ? done : codeOf(await shop.gateway.reportClosure(charge, dispute, { outcome }));

export interface DisputeWish {
  amount: 'all' | 1;
  /** `backwards`: it is over before it was told of, and its end is told first. */
  told: 'once' | 'twice' | 'backwards';
  outcome: 'won' | 'lost';
}

/** The payer claims money back through the bank. */
export const disputeOpens = (number: number, { amount, told, outcome }: DisputeWish): Step => ({
  text: `disputeOpens(${number}, ${JSON.stringify({ amount, told, outcome })})`,
  expects: () => new Set([1000]),
  foresee: (model, real) => contest(model, real, number),
  act: async (model, real) => {
    const charge = acceptedCharge(model, real, number);
    if (!charge) return done;
    const dispute = real.shop.gateway.dispute(
      charge,
      amount === 'all' ? charge.amount : Math.min(amount, charge.amount),
    );
    const opened: OpenedDispute = { order: orderAt(model, number), charge, dispute, outcome: null };
    real.disputes.push(opened);
    real.count(`dispute, told ${told}`);
    if (told === 'backwards') {
      decide(real, opened, outcome);
      const ended = await tellEnded(real, opened);
      return worst([ended, await tellOpened(real, opened)]);
    }
    const times = told === 'twice' ? 2 : 1;
    return worst(await Promise.all(Array.from({ length: times }, () => tellOpened(real, opened))));
  },
});

/** The gateway decides an open dispute of the order. */
export const disputeEnds = (number: number, outcome: 'won' | 'lost', twice: boolean): Step => ({
  text: `disputeEnds(${number}, ${outcome}${twice ? ', twice' : ''})`,
  expects: () => new Set([1000]),
  foresee: () => {},
  act: async (model, real) => {
    const order = orderAt(model, number);
    const opened = real.disputes.find((one) => one.order === order && one.outcome === null);
    if (!opened) return done;
    decide(real, opened, outcome);
    return worst(await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => tellEnded(real, opened))));
  },
});
