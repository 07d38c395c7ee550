import type { Database } from '../../../../db/database.ts';
import {
  askForReconciliation,
  failReconciliation,
  findReconciliationDay,
  listReconciliationDays,
  type ReconciliationDay,
} from '../../../../db/orders/reconciliation/days.ts';
import { listDifferences } from '../../../../db/orders/reconciliation/items.ts';
import { mapPage } from '../../../../domain/cursor.ts';
import { OrderError } from '../../../../domain/orders/codes.ts';
import { fromMinor } from '../../../../domain/orders/money.ts';
import { reconciliationOperations } from '../../../../domain/orders/operations/reconciliation.ts';
import type { Launcher } from '../../launch.ts';
import type { ServeOrders } from '../../order-api.ts';
import { pageRequest } from '../page-request.ts';
import { authorOf } from './access.ts';

interface ReconciliationDeps {
  database: Database;
  launcher: Pick<Launcher, 'startReconciliation'>;
}

/** A day has a handful of differences; one that has thousands has one cause, which a part of them shows. */
const MOST_DIFFERENCES = 1000;

const presentDay = ({ finishedAt, ...day }: ReconciliationDay) => ({
  ...day,
  finishedAt: finishedAt?.toISOString() ?? null,
});

const inUnits = (minor: number | null): number | null => (minor === null ? null : fromMinor(minor));

/** Our charges compared with the payment gateway's, of the session's tenant. */
export function reconciliationRoutes(serve: ServeOrders, { database, launcher }: ReconciliationDeps): void {
  serve(reconciliationOperations.reconcile, {
    handle: async ({ actor: payer, body: { date } }) => {
      if (date > new Date().toISOString().slice(0, 10))
        throw new OrderError(90001, { errors: [{ path: '/date', message: 'must not be in the future' }] });
      const day = { tenantId: payer.tenantId, date };
      if (!(await askForReconciliation(database, { ...day, author: authorOf(payer) }))) throw new OrderError(90204);
      try {
        await launcher.startReconciliation(day);
      } catch (error) {
        await failReconciliation(database, { ...day, reason: 'it could not be started' });
        throw error;
      }
      const found = await findReconciliationDay(database, day);
      if (!found) throw new Error(`${date} of ${payer.tenantId} was marked as running and is gone`);
      return { ...presentDay(found), status: 'running' as const, finishedAt: null };
    },
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
        items: items.map(({ oursMinor, theirsMinor, kind, chargeId, orderId, mended }) => ({
          kind,
          chargeId,
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
