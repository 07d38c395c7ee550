import { setTimeout as delay } from 'node:timers/promises';
import { orderStatus } from '#domain/orders/states.ts';
import { triple } from '../support/shop.ts';
import { differences } from './books.ts';
import { tellOfRefunds } from './desk-steps.ts';
import { makeReadsDue } from './gateway-steps.ts';
import { lead, type Model, type ModelOrder } from './model.ts';
import { chargesOf, isPaid, placedAt, type Real, seeOrders, type SeenOrder, watch } from './real.ts';
import { settleStuck } from './staff-steps.ts';

const { CREATED, PAYMENT_PENDING: PENDING, DONE, FAILED, CANCELLED } = orderStatus;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1500;
/** How often the payer and staff do something about what is still open, in rounds. */
const EVERY = 4;

/** How a sequence is ended: whether the payer waits until a read of the charge finds the money, and what staff decide. */
export interface Ending {
  patient: boolean;
  outcome: 'complete' | 'refund';
}

/** Staff decide what waits for them: money that never came cannot complete an order. */
async function decide(real: Real, order: ModelOrder, orderId: string, { outcome }: Ending): Promise<void> {
  lead(order, DONE, FAILED);
  const { code } = await real.shop.resolve({ orderId }, real.tenantId, outcome);
  if (code === 90_206) await real.shop.resolve({ orderId }, real.tenantId, 'refund');
}

/** The payer and staff end what does not end by itself. */
async function end(model: Model, real: Real, seen: SeenOrder, order: ModelOrder, ending: Ending): Promise<void> {
  const placed = placedAt(real, model, order);
  // A pay that nobody has answered may still go on.
  const unsure = seen.orderStatus === CREATED && order.ways.size > 0;
  if (seen.orderStatus !== PENDING && !unsure) return;
  if (seen.flagged) return decide(real, order, seen.orderId, ending);
  const came = chargesOf(real, placed).some((charge) => isPaid(charge) && !real.faults.phantoms.has(charge.chargeId));
  if (came) {
    if (!ending.patient) await real.shop.pay(placed, real.tenantId);
    return;
  }
  lead(order, CANCELLED);
  await real.shop.cancel(placed, real.tenantId);
}

async function endAll(model: Model, real: Real, ending: Ending): Promise<void> {
  const seen = await seeOrders(real);
  await Promise.all(
    model.orders.map((order, index) => {
      const row = seen[index];
      return row && end(model, real, row, order, ending);
    }),
  );
  await tellOfRefunds(real);
  await settleStuck(real, 'as possible');
}

/**
 * Ends what is open, lets the times of later reads pass, and waits until the service's books are the model's.
 * @throws Error naming what differs once the time is up.
 */
export async function comeToRest(model: Model, real: Real, ending: Ending, restMs: number): Promise<void> {
  real.faults.planned.length = 0;
  const deadline = Date.now() + restMs;
  for (let round = 0; ; round += 1) {
    await watch(model, real);
    if (round % EVERY === 0)
      await real.traffic.join(async () => {
        await endAll(model, real, ending);
        await makeReadsDue(real);
      });
    await real.sweep();
    const different = await differences(model, real);
    if (different.length === 0) {
      for (const seen of await seeOrders(real)) real.count(`ended ${triple(seen)}`);
      return;
    }
    if (Date.now() > deadline) throw new Error(`never at rest:\n  ${different.join('\n  ')}`);
    await delay(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.5 ** round));
  }
}
