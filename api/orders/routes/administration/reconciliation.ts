import type { Database } from '#db/database.ts';
import {
  askForMissingDays,
  askForReconciliation,
  failReconciliation,
  findReconciliationDay,
  listReconciliationDays,
  type ReconciliationDay,
  type TenantDay,
} from '#db/orders/reconciliation/days.ts';
import { listDifferences } from '#db/orders/reconciliation/items.ts';
import { mapPage } from '#domain/cursor.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { fromMinor } from '#domain/orders/money.ts';
import { reconciliationOperations } from '#domain/orders/operations/reconciliation.ts';
import type { Launcher } from '#api/orders/launch.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import type { Payer } from '#api/orders/session.ts';
import { pageRequest } from '../page-request.ts';
import { authorOf } from './access.ts';

interface ReconciliationDeps {
  database: Database;
  launcher: Pick<Launcher, 'startReconciliation' | 'startMissingDays'>;
}

/** A day has a handful of differences; one that has thousands has one cause, which a part of them shows. */
const MOST_DIFFERENCES = 1000;

const presentDay = ({ finishedAt, ...day }: ReconciliationDay) => ({
  ...day,
  finishedAt: finishedAt?.toISOString() ?? null,
});

const inUnits = (minor: number | null): number | null => (minor === null ? null : fromMinor(minor));

const today = (): string => new Date().toISOString().slice(0, 10);

/** @throws Error if none of them could be started: they have failed then. */
async function startOrFail(database: Database, days: TenantDay[], start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    for (const day of days) await failReconciliation(database, { ...day, reason: 'it could not be started' });
    throw error;
  }
}

/** A day that was just started, whatever its run has done meanwhile. */
async function startedDay(database: Database, day: TenantDay) {
  const found = await findReconciliationDay(database, day);
  if (!found) throw new Error(`${day.date} of ${day.tenantId} was marked as running and is gone`);
  return { ...presentDay(found), status: 'running' as const, finishedAt: null };
}

async function compareDay({ database, launcher }: ReconciliationDeps, payer: Payer, date: string) {
  if (date > today())
    throw new OrderError(90001, { errors: [{ path: '/date', message: 'must not be in the future' }] });
  const day = { tenantId: payer.tenantId, date };
  if (!(await askForReconciliation(database, { ...day, author: authorOf(payer) }))) throw new OrderError(90204);
  await startOrFail(database, [day], () => launcher.startReconciliation(day));
  return startedDay(database, day);
}

async function compareMissing({ database, launcher }: ReconciliationDeps, payer: Payer) {
  const { tenantId } = payer;
  const before = today();
  const dates = await askForMissingDays(database, { tenantId, before, author: authorOf(payer) });
  if (dates === null) throw new OrderError(90204);
  const days = dates.map((date) => ({ tenantId, date }));
  if (days.length > 0) await startOrFail(database, days, () => launcher.startMissingDays({ tenantId, before }));
  return { items: await Promise.all(days.map((day) => startedDay(database, day))), nextCursor: null };
}

/** Our charges compared with the payment gateway's, of the session's tenant. */
export function reconciliationRoutes(serve: ServeOrders, deps: ReconciliationDeps): void {
  const { database } = deps;
  serve(reconciliationOperations.reconcile, {
    handle: async ({ actor: payer, body: { date } }) =>
      date === null || date === undefined ? compareMissing(deps, payer) : compareDay(deps, payer, date),
  });

  serve(reconciliationOperations.getReconciliation, {
    handle: async ({ actor: payer, query: { date } }) => {
      const day = { tenantId: payer.tenantId, date };
      const found = await findReconciliationDay(database, day);
      const { status, finishedAt } = found ? presentDay(found) : { status: 'none' as const, finishedAt: null };
      const items = await listDifferences(database, day, MOST_DIFFERENCES);
      return {
        date,
        status,
        finishedAt,
        items: items.map(({ oursMinor, theirsMinor, kind, chargeId, refundId, orderId, mended }) => ({
          kind,
          chargeId,
          refundId,
          orderId,
          ours: inUnits(oursMinor),
          theirs: inUnits(theirsMinor),
          mended,
        })),
      };
    },
  });

  serve(reconciliationOperations.listReconciliationDays, {
    handle: async ({ actor: payer, query }) =>
      mapPage(await listReconciliationDays(database, payer.tenantId, pageRequest(query)), presentDay),
  });
}
