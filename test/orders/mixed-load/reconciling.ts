import type { Difference } from '#domain/orders/administration/reconciliation.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { succeeded } from './callers.ts';
import type { Shop } from './market.ts';

interface Day {
  status: string;
  items: Difference[];
}

export interface FoundDifference extends Difference {
  tenantId: string;
  date: string;
}

/** Has one day of the shop compared with the gateway. @throws Error if that fails */
async function reconcileDay({ tenantId, staff }: Shop, date: string): Promise<FoundDifference[]> {
  succeeded('a reconciliation', await staff.call('reconcile', 'POST', '/admin/reconciliation', { date }));
  const { status, items } = await eventually(
    `the reconciliation of ${date} at ${tenantId}`,
    async () => {
      const path = `/admin/reconciliation?date=${date}`;
      const day = succeeded('the day', await staff.call<Day>('reconciliation', 'GET', path));
      return day.status !== 'running' && day;
    },
    { timeoutMs: 10 * 60_000, intervalMs: 500 },
  );
  if (status !== 'done') throw new Error(`the reconciliation of ${date} at ${tenantId} is ${status}`);
  return items.map((item) => ({ tenantId, date, ...item }));
}

/** The differences of these days (UTC) at all shops. */
export async function reconcile(shops: readonly Shop[], dates: readonly string[]): Promise<FoundDifference[]> {
  const found: FoundDifference[] = [];
  for (const shop of shops) for (const date of dates) found.push(...(await reconcileDay(shop, date)));
  return found;
}
