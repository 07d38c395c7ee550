import { z } from 'zod';
import { control, created, ok, readJson, readQuery, SandboxError } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { DisputeCallbackChanges, RefundCallbackChanges } from './callbacks.ts';
import { amountSchema, chargeOf, statusNow } from './charges.ts';
import { closeDispute, disputeOf, openDispute } from './disputes.ts';
import { payCharge } from './payments.ts';
import type { PaymentDeps } from './payments.ts';
import { refundCharge } from './refunds.ts';

const differences = {
  amount: z.number().optional(),
  currency: z.string().optional(),
  shopId: z.string().optional(),
};
const callbackSchema = z.object({ ...differences, orderNo: z.string().optional(), eventId: z.string().optional() });
const paySchema = z.object({
  late: z.boolean().default(false),
  charge: z.object(differences).optional(),
  callback: z.union([z.literal(false), callbackSchema]).optional(),
});

const refundCallbackSchema = callbackSchema.extend({ refundId: z.string().optional() });
const deskRefundSchema = z.object({
  amount: amountSchema.optional(),
  callback: z.union([z.literal(false), refundCallbackSchema]).optional(),
});

const disputeCallbackSchema = callbackSchema.extend({ disputeId: z.string().optional() });
const disputeCallback = z.union([z.literal(false), disputeCallbackSchema]).optional();
const disputeSchema = z.object({
  amount: amountSchema.optional(),
  reason: z.string().max(2000).optional(),
  dueAt: z.iso.datetime({ offset: true }).optional(),
  callback: disputeCallback,
});
const closureSchema = z.object({
  disputeId: z.string().optional(),
  outcome: z.enum(['won', 'lost']),
  callback: disputeCallback,
});

const chargesQuery = z.object({ orderNo: z.string().optional() });
const callbacksQuery = z.object({ chargeId: z.string().optional() });

function disputeControlRoutes(deps: PaymentDeps): Route[] {
  const { charges, callbacks } = deps;
  return [
    control(
      'POST',
      '/sandbox/charges/{chargeId}:dispute',
      { summary: 'The payer of a charge claims its money back, all of it or a part', body: disputeSchema },
      (call) => ok(openDispute(deps, chargeOf(charges, call), readJson(call))),
    ),
    control(
      'POST',
      '/sandbox/charges/{chargeId}:close-dispute',
      { summary: 'Decides the newest dispute of a charge, or the one that is named', body: closureSchema },
      (call) => ok(closeDispute(deps, chargeOf(charges, call), readJson(call))),
    ),
    control(
      'POST',
      '/sandbox/charges/{chargeId}:dispute-callback',
      {
        summary: 'Reports the newest dispute of a charge, or the one that is named, or its end, again',
        body: disputeCallbackSchema,
      },
      (call) => {
        const charge = chargeOf(charges, call);
        const { disputeId, ...changes }: DisputeCallbackChanges = readJson(call);
        const dispute = disputeOf(charge, disputeId);
        const { eventId } = dispute.outcome
          ? callbacks.sendClosure(charge, dispute, changes)
          : callbacks.sendDispute(charge, dispute, changes);
        return created({ eventId });
      },
    ),
  ];
}

/** Control API for payments: reading charges and callbacks, paying, and sending callbacks again. */
export function paymentControlRoutes(deps: PaymentDeps): Route[] {
  const { charges, callbacks } = deps;
  return [
    control(
      'GET',
      '/sandbox/charges',
      { summary: 'Charges, with how often each was requested', query: chargesQuery },
      (call) => {
        const { orderNo } = readQuery(call);
        const matching = charges.list().filter((charge) => !orderNo || charge.orderNo === orderNo);
        const items = matching.map((charge) => ({ ...charge, status: statusNow(charge) }));
        return ok({ total: items.length, createCalls: items.reduce((sum, one) => sum + one.createCalls, 0), items });
      },
    ),
    control(
      'GET',
      '/sandbox/callbacks',
      { summary: 'Payment callbacks to the application', query: callbacksQuery },
      (call) => {
        const { chargeId } = readQuery(call);
        const matching = callbacks.list().filter((callback) => !chargeId || callback.chargeId === chargeId);
        return ok({ items: matching.map((callback) => ({ ...callback, body: JSON.parse(callback.body) as unknown })) });
      },
    ),
    control('POST', '/sandbox/charges/{chargeId}:pay', { summary: 'Pays a charge', body: paySchema }, (call) =>
      ok(payCharge(deps, chargeOf(charges, call), readJson(call))),
    ),
    control(
      'POST',
      '/sandbox/charges/{chargeId}:refund',
      { summary: 'Refunds a charge at the gateway’s desk, all that is left or a part', body: deskRefundSchema },
      (call) => ok(refundCharge(deps, chargeOf(charges, call), readJson(call)).refund),
    ),
    control(
      'POST',
      '/sandbox/charges/{chargeId}:refund-callback',
      { summary: 'Reports the newest refund of a charge, or the one that is named, again', body: refundCallbackSchema },
      (call) => {
        const charge = chargeOf(charges, call);
        const { refundId, ...changes }: RefundCallbackChanges = readJson(call);
        const refund = charge.refunds?.findLast((one) => refundId === undefined || one.refundId === refundId);
        if (!refund) throw new SandboxError(404, 'not_found', 'there is no such refund');
        return created({ eventId: callbacks.sendRefund(charge, refund, changes).eventId });
      },
    ),
    ...disputeControlRoutes(deps),
    control(
      'POST',
      '/sandbox/charges/{chargeId}:callback',
      { summary: 'Reports a payment again', body: callbackSchema },
      (call) => created({ eventId: callbacks.send(chargeOf(charges, call), readJson(call)).eventId }),
    ),
  ];
}
