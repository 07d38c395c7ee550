import type { Charge, ListedCharge, PaymentGateway } from '#clients/payment-gateway/client.ts';
import type { Database } from '#db/database.ts';
import { recordEvent } from '#db/orders/events/events.ts';
import {
  beginReconciliation,
  failReconciliation,
  finishReconciliation,
  missingDays,
  type TenantDay,
  tenantsWithShop,
} from '#db/orders/reconciliation/days.ts';
import { countBeingMended, type FoundDifference, recordComparison } from '#db/orders/reconciliation/items.ts';
import {
  type AcceptedCharge,
  type AcceptedPosition,
  findKnownCharges,
  findUnlistedCharges,
  type KnownCharge,
  type ShopDay,
} from '#db/orders/reconciliation/known-charges.ts';
import { CHARGE_PAID } from '#domain/orders/event-types.ts';
import { chargeDifference, wasPaid } from '#domain/orders/charge-comparison.ts';
import type { Drive } from './drive.ts';
import { asRetry } from './gateway-retry.ts';
import { bounds, createRefundComparison } from './reconcile-refunds.ts';

interface ReconciliationDeps extends Drive {
  database: Database;
  gateway: PaymentGateway;
}

const TENANTS = 100;
const ACCEPTED = 100;

/**
 * The list has charges that were created or paid on the day; a charge is compared on the day it was paid, and where
 * the gateway does not say when, on every day it is listed.
 */
function paidOn(date: string): (charge: Charge) => boolean {
  const { from, to } = bounds(date);
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return (charge) => {
    if (!wasPaid(charge)) return false;
    const at = charge.paidAt === null ? Number.NaN : Date.parse(charge.paidAt);
    return Number.isNaN(at) || (at >= start && at < end);
  };
}

/** Null if it does not differ. Another tenant's order is not named. */
function differenceOf({ tenantId }: TenantDay, theirs: Charge, ours: KnownCharge): FoundDifference | null {
  const found = chargeDifference(theirs, ours);
  const orderId = ours.tenantId === tenantId ? ours.orderId : null;
  return found && { ...found, chargeId: theirs.chargeId, refundId: null, orderId };
}

async function knownById(database: Database, charges: { chargeId: string; orderNo: string }[]) {
  const known = await findKnownCharges(database, charges);
  return new Map(known.map((charge) => [charge.chargeId, charge]));
}

/** Takes the path of a callback that was lost: the money completes its order, is refunded, or waits for staff. */
async function mend(deps: ReconciliationDeps, date: string, charge: ListedCharge): Promise<void> {
  const { chargeId, orderNo, shopId, amount, currency } = charge;
  const event = { eventId: `reconciliation:${date}:${chargeId}`, type: CHARGE_PAID };
  const callback = { ...event, chargeId, orderNo, shopId, amount, currency };
  const { status, order, refund } = await recordEvent(deps.database, callback, JSON.stringify(callback));
  if (!order) return;
  if (status === 'stored') await deps.resumePayment(order);
  if (refund) await deps.startRefund({ refundId: chargeId, orderId: order.orderId, tenantId: order.tenantId });
}

/** Money that we know nothing of, be there an order for it or not. */
const lacksCallback = ({ kind }: FoundDifference): boolean => kind === 'paid_there_only' || kind === 'unknown_order';

/** A charge whose money we accepted but which the day's list does not show as paid: it is read individually. */
async function compareAccepted(deps: ReconciliationDeps, day: ShopDay, accepted: AcceptedCharge[]) {
  const known = await knownById(deps.database, accepted);
  const differences: FoundDifference[] = [];
  for (const { chargeId } of accepted) {
    const ours = known.get(chargeId);
    if (!ours) continue;
    const theirs = await deps.gateway.findCharge(chargeId).catch(asRetry);
    const orderId = ours.tenantId === day.tenantId ? ours.orderId : null;
    const difference: FoundDifference | null =
      theirs && wasPaid(theirs)
        ? differenceOf(day, theirs, ours)
        : {
            kind: 'paid_here_only',
            chargeId,
            refundId: null,
            orderId,
            oursMinor: ours.acceptedMinor,
            theirsMinor: null,
          };
    if (difference) differences.push(difference);
  }
  return differences;
}

/** Compares a tenant's charges with the gateway's; every step may be repeated. */
export function createReconciliationActivities(deps: ReconciliationDeps) {
  const { database, gateway } = deps;
  return {
    shopsToReconcile: (given: { after: string | null }): Promise<string[]> =>
      tenantsWithShop(database, { ...given, limit: TENANTS }),

    missingDays: (given: { tenantIds: string[]; before: string }): Promise<TenantDay[]> => missingDays(database, given),

    beginReconciliation: (day: TenantDay): Promise<ShopDay | null> => beginReconciliation(database, day),

    /** One page of the gateway's list. @returns how many paid charges it had, and the next page. */
    async compareListedCharges(given: {
      day: ShopDay;
      cursor: string | null;
    }): Promise<{ charges: number; nextCursor: string | null }> {
      const { day, cursor } = given;
      const page = await gateway.listCharges({ shopId: day.shopId, ...bounds(day.date), cursor }).catch(asRetry);
      if (page.nextCursor !== null && page.nextCursor === cursor)
        throw new Error('the payment gateway returned the same page as the next one');
      const paid = page.items.filter(paidOn(day.date));
      const known = await knownById(database, paid);
      const differing = paid.flatMap((charge) => {
        const ours = known.get(charge.chargeId);
        const difference = ours ? differenceOf(day, charge, ours) : null;
        return ours && difference ? [{ charge, ours, difference }] : [];
      });
      await recordComparison(database, day, {
        listed: paid.map(({ chargeId }) => chargeId),
        differences: differing.map(({ difference }) => difference),
      });
      for (const { charge, ours, difference } of differing)
        if (lacksCallback(difference) && !ours.waiting) await mend(deps, day.date, charge);
      return { charges: paid.length, nextCursor: page.nextCursor };
    },

    /** Some of the charges we accepted that day. @returns where to go on; null at the end. */
    async compareAcceptedCharges(given: {
      day: ShopDay;
      after: AcceptedPosition | null;
    }): Promise<{ next: AcceptedPosition | null }> {
      const { day, after } = given;
      const { items, next } = await findUnlistedCharges(database, day, { after, limit: ACCEPTED });
      const differences = await compareAccepted(deps, day, items);
      await recordComparison(database, day, { listed: [], differences });
      return { next };
    },

    ...createRefundComparison(deps),

    countBeingMended: (day: TenantDay): Promise<number> => countBeingMended(database, day),

    finishReconciliation: (given: TenantDay & { charges: number }): Promise<{ differences: number; mended: number }> =>
      finishReconciliation(database, given),

    failReconciliation: (given: TenantDay & { reason: string }): Promise<void> => failReconciliation(database, given),
  };
}
