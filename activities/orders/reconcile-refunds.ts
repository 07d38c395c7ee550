import type { ListedRefund, PaymentGateway } from '#clients/payment-gateway/client.ts';
import type { Database } from '#db/database.ts';
import { recordRefundReport } from '#db/orders/events/refund-reports.ts';
import type { TenantDay } from '#db/orders/reconciliation/days.ts';
import { type FoundDifference, recordComparison } from '#db/orders/reconciliation/items.ts';
import type { ShopDay } from '#db/orders/reconciliation/known-charges.ts';
import { findKnownRefunds, type KnownRefund } from '#db/orders/reconciliation/known-refunds.ts';
import { CHARGE_REFUNDED } from '#domain/orders/event-types.ts';
import { nearestMinor } from '#domain/orders/money.ts';
import type { Drive } from './drive.ts';
import { asRetry } from './gateway-retry.ts';

export interface RefundComparisonDeps extends Pick<Drive, 'startReport'> {
  database: Database;
  gateway: PaymentGateway;
}

const DAY_MS = 24 * 60 * 60_000;

/** The day's first instant, and the next day's. */
export function bounds(date: string): { from: string; to: string } {
  const from = new Date(`${date}T00:00:00.000Z`);
  return { from: from.toISOString(), to: new Date(from.getTime() + DAY_MS).toISOString() };
}

const nameOf = ({ chargeId, refundId }: { chargeId: string; refundId: string }): string =>
  JSON.stringify([chargeId, refundId]);

const onlyThere = ({ tenantId }: TenantDay, theirs: ListedRefund, ours: KnownRefund): FoundDifference => ({
  kind: 'refunded_there_only',
  chargeId: theirs.chargeId,
  refundId: theirs.refundId,
  orderId: ours.tenantId === tenantId ? ours.orderId : null,
  oursMinor: null,
  theirsMinor: nearestMinor(theirs.amount),
});

/** Takes the path of a callback about a refund that was lost, once for a day. */
export async function reportRefund(
  deps: Pick<RefundComparisonDeps, 'database' | 'startReport'>,
  { date, shopId }: Pick<ShopDay, 'date' | 'shopId'>,
  refund: ListedRefund,
): Promise<void> {
  const { chargeId, refundId, amount, orderNo, currency, refundedAt, idempotencyKey } = refund;
  const eventId = `reconciliation:${date}:${chargeId}:${refundId}`;
  const told = { chargeId, refundId, amount, orderNo, shopId, currency, refundedAt, idempotencyKey };
  const callback = { eventId, type: CHARGE_REFUNDED, ...told } as const;
  const { status, orderId, tenantId } = await recordRefundReport(deps.database, callback, JSON.stringify(callback));
  if (status === 'stored' && tenantId !== null) await deps.startReport({ eventId, orderId, tenantId });
}

/** Compares the gateway's refunds of a day with ours; every step may be repeated. */
export function createRefundComparison(deps: RefundComparisonDeps) {
  const { database, gateway } = deps;
  return {
    /** One page of the gateway's refunds of the day: those that we do not know are booked. @returns the next page. */
    async compareListedRefunds(given: { day: ShopDay; cursor: string | null }): Promise<{ nextCursor: string | null }> {
      const { day, cursor } = given;
      const page = await gateway.listRefunds({ shopId: day.shopId, ...bounds(day.date), cursor }).catch(asRetry);
      if (page === null) return { nextCursor: null };
      if (page.nextCursor !== null && page.nextCursor === cursor)
        throw new Error('the payment gateway returned the same page as the next one');
      const listed = [...new Map(page.items.map((refund) => [nameOf(refund), refund])).values()];
      const known = new Map((await findKnownRefunds(database, listed)).map((refund) => [nameOf(refund), refund]));
      const open = listed.flatMap((theirs) => {
        const ours = known.get(nameOf(theirs));
        return ours && !ours.isConfirmed ? [{ theirs, ours }] : [];
      });
      const differences = open.flatMap(({ theirs, ours }) => (ours.isOurs ? [] : [onlyThere(day, theirs, ours)]));
      await recordComparison(database, day, { listed: [], differences });
      for (const { theirs } of open) await reportRefund(deps, day, theirs);
      return { nextCursor: page.nextCursor };
    },
  };
}
