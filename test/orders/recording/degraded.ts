import { GatewayUnclear } from '#clients/payment-gateway/client.ts';
import { rows } from '#db/database.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { PayReply } from '../support/orders-service.ts';
import type { Recording } from './recording.ts';

const LONG_MS = 600_000;
const TTL_MS = 3000;

/** What a payment does while the gateway or PostgreSQL fails, is slow, or says something at the wrong time. */
export function degradedPayments(recording: Recording): Record<string, () => Promise<void>> {
  const { service, shop, gateway, run, saveClosed, saveOpen, ordered, payFor, faulty } = recording;
  const unavailable = { response: [503, {}] as [number, object] };

  /** Waits until an activity of this type is under way: not one within the workflow task. */
  const activityOf = (order: { orderId: string }, type: string) =>
    eventually(`${type} is an activity`, async () => {
      const { raw } = await run(order).describe();
      return (raw.pendingActivities ?? []).some(({ activityType }) => activityType?.name === type);
    });
  const failedAt = (order: { orderId: string }, type: string) =>
    eventually(`${type} has failed`, async () => {
      const { raw } = await run(order).describe();
      return (raw.pendingActivities ?? []).some(
        ({ activityType, attempt }) => activityType?.name === type && Number(attempt) > 1,
      );
    });
  const linked = async (ttlMs = LONG_MS): Promise<PayReply['data']> => {
    const order = await ordered();
    await payFor(order, ttlMs);
    return order;
  };
  const mend = () => {
    gateway.state.fault = () => undefined;
  };
  /** A call that is answered only once it is let go. */
  function held(operation: 'create' | 'read' | 'cancel'): () => void {
    let letGo: () => void = () => undefined;
    faulty(operation, { holdUntil: new Promise<void>((done) => (letGo = done)) });
    return () => letGo();
  }

  return {
    async slowDatabase() {
      const order = await ordered();
      await service.database.transaction(async (transaction) => {
        await rows(transaction, 'select 1 from customer_order where order_id = :orderId for update', {
          orderId: order.orderId,
        });
        void payFor(order, LONG_MS);
        await activityOf(order, 'openPayment');
      });
      await shop.payUntilKnown(order, 'shop');
      await gateway.pay(order.orderNo);
      await saveClosed('opened-by-activity', order);
    },
    async gatewayAsksForTime() {
      const { paymentGateway } = service;
      const { createCharge } = paymentGateway;
      paymentGateway.createCharge = () => {
        paymentGateway.createCharge = createCharge;
        return Promise.reject(new GatewayUnclear('the gateway is busy', 700));
      };
      const order = await linked();
      await gateway.pay(order.orderNo);
      await saveClosed('charge-after-wait', order);
    },
    async chargeUnknown() {
      faulty('create', unavailable, 2);
      const known = await ordered();
      void payFor(known, LONG_MS);
      await failedAt(known, 'createCharge');
      await shop.payUntilKnown(known, 'shop');
      await gateway.pay(known.orderNo);
      await saveClosed('charge-unavailable', known);

      faulty('create', unavailable, Infinity);
      const refused = await ordered();
      void payFor(refused, LONG_MS);
      await failedAt(refused, 'createCharge');
      faulty('create', { response: [422, { code: 'shop_closed' }] });
      await saveClosed('charge-unknown-refused', refused);

      faulty('create', unavailable, Infinity);
      const expired = await ordered();
      void payFor(expired, TTL_MS).catch(() => undefined);
      await failedAt(expired, 'createCharge');
      await saveOpen('open-charge-unavailable', expired);
      await eventually('its time is over', async () => {
        const [attempt] = await rows<{ over: boolean }>(
          service.database,
          'select expires_at < now() as over from payment_attempt where order_id = :orderId',
          { orderId: expired.orderId },
        );
        return attempt?.over ?? false;
      });
      faulty('create', { response: [422, { code: 'expired' }] });
      await saveClosed('charge-unknown-expired', expired);

      faulty('create', 'lost');
      const paid = await ordered();
      void payFor(paid, TTL_MS).catch(() => undefined);
      await gatewayHas(paid);
      await saveClosed('charge-lost-expired', paid);
    },
    async beforeTheAnswer() {
      let letGo = held('create');
      const cancelled = await ordered();
      const paying = payFor(cancelled, LONG_MS);
      await activityOf(cancelled, 'createCharge');
      const cancelling = shop.cancel(cancelled, 'shop');
      await eventually('it is in the rows', async () => {
        const [attempt] = await rows<{ wanted: boolean }>(
          service.database,
          'select cancel_requested as wanted from payment_attempt where order_id = :orderId',
          { orderId: cancelled.orderId },
        );
        return attempt?.wanted ?? false;
      });
      letGo();
      await Promise.all([paying, cancelling]);
      await saveClosed('cancelled-before-answer', cancelled);

      // The charge is there, and its answer is on its way for longer than the payer takes.
      const early = await ordered();
      faulty('create', 'lost');
      const second = { holdUntil: new Promise<void>((done) => (letGo = done)) };
      const waiting = payFor(early, LONG_MS);
      await gatewayHas(early);
      faulty('create', second);
      await activityOf(early, 'createCharge');
      await gateway.pay(early.orderNo);
      letGo();
      await waiting;
      await saveClosed('paid-before-answer', early);
    },
    async looks() {
      const failing = await linked();
      faulty('read', unavailable, 2);
      await gateway.pay(failing.orderNo);
      await saveClosed('look-failed', failing);
      const slow = await linked();
      const letGo = held('read');
      await gateway.pay(slow.orderNo);
      await activityOf(slow, 'lookAtPayment');
      letGo();
      await saveClosed('look-took-long', slow);
    },
    async reads() {
      const failing = await linked();
      faulty('read', unavailable);
      await shop.pay(failing, 'shop');
      await gateway.pay(failing.orderNo, { lost: true });
      await shop.until(failing, 'shop', '30/30/30');
      await saveClosed('read-failed', failing);

      const slow = await linked();
      const letGo = held('read');
      const asking = shop.pay(slow, 'shop');
      await activityOf(slow, 'settlePayment');
      await gateway.pay(slow.orderNo, { lost: true });
      letGo();
      await asking;
      await saveClosed('read-took-long', slow);

      const both = await linked();
      let fail: () => void = () => undefined;
      faulty('read', { holdUntil: new Promise<void>((done) => (fail = done)), ...unavailable });
      const waiting = shop.pay(both, 'shop');
      await activityOf(both, 'settlePayment');
      fail();
      await waiting;
      await gateway.pay(both.orderNo);
      await saveClosed('read-took-long-and-failed', both);
    },
    async ends() {
      const cancelled = await linked();
      faulty('cancel', unavailable, 2);
      const cancelling = shop.cancel(cancelled, 'shop');
      await failedAt(cancelled, 'endPayment');
      await cancelling;
      await saveClosed('cancelled-at-last', cancelled);
      const expired = await linked(TTL_MS);
      faulty('cancel', unavailable, 2);
      await saveClosed('expired-at-last', expired);
    },
    async deadCharge() {
      const dead = await linked();
      gateway.chargeOf(dead.orderNo).status = 'cancelled';
      await shop.until(dead, 'shop', '0/0/0');
      await saveClosed('charge-cancelled-elsewhere', dead);
      await shop.payUntilKnown(dead, 'shop');
      const next = [...gateway.charges.values()].find(
        (one) => one.orderNo === dead.orderNo && one.status === 'pending',
      );
      if (!next) throw new Error('there is no second charge');
      // Money for the first charge comes while the second waits for its payer.
      await gateway.payCharge(gateway.chargeOf(dead.orderNo), { late: true });
      await eventually('it goes back', () => gateway.chargeOf(dead.orderNo).status === 'refunded');
      await gateway.payCharge(next);
      await saveClosed('second-attempt', dead);
    },
    async startedAgain() {
      const order = await linked();
      await run(order).terminate('lost');
      await service.launcher.resumePayment({ orderId: order.orderId, tenantId: 'shop', attempt: 1 });
      await eventually('it is read', () =>
        gateway.of('read').some(({ chargeId }) => chargeId === gateway.chargeOf(order.orderNo).chargeId),
      );
      await gateway.pay(order.orderNo);
      await saveClosed('started-again', order);

      const flagged = await linked();
      const charge = gateway.chargeOf(flagged.orderNo);
      charge.status = 'paid';
      await gateway.callback(charge, { amount: 1 });
      await eventually('flagged', async () => (await shop.staffOrder(flagged, 'shop')).flags.length > 0);
      await run(flagged).terminate('lost');
      await shop.resolve(flagged, 'shop', 'complete');
      await saveClosed('started-again-flagged', flagged);
      mend();
    },
    async goneOrder() {
      const order = { orderId: 'gone', tenantId: 'shop', attempt: 1 };
      await service.launcher.resumePayment(order);
      await saveClosed('order-gone', order);
    },
  };

  async function gatewayHas({ orderNo }: { orderNo: string }): Promise<void> {
    await eventually('the gateway has the charge', () =>
      [...gateway.charges.values()].some((one) => one.orderNo === orderNo),
    );
  }
}
