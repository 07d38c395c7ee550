import type { Registry } from 'prom-client';
import type { Database } from '#db/database.ts';
import { readLedgerFigures } from '#db/orders/books/check.ts';
import { readReconciliationFigures } from '#db/orders/reconciliation/items.ts';
import { databaseGauges } from '../http/metrics.ts';

/** Whether the books add up, by themselves and with the payment gateway's. */
export function bookGauges(registry: Registry, database: Database): void {
  databaseGauges(
    registry,
    {
      drift: {
        name: 'orders_ledger_drift',
        help: 'Accounts and orders whose balances or cash did not fit their entries when they were last looked at',
      },
      ageSeconds: {
        name: 'orders_ledger_check_age_seconds',
        help: 'Time since balances about which anything was written were last compared with entries',
      },
      allAgeSeconds: {
        name: 'orders_ledger_full_check_age_seconds',
        help: 'Time since every balance was last compared with its entries',
      },
    },
    () => readLedgerFigures(database),
  );
  databaseGauges(
    registry,
    {
      differences: {
        name: 'orders_reconciliation_differences',
        help: 'Differences from the payment gateway of the last 30 days that are neither mended nor ignored by staff',
      },
      failed: {
        name: 'orders_reconciliation_failed',
        help: 'Days of the last 30 of a tenant whose comparison with the payment gateway failed',
      },
      ageSeconds: {
        name: 'orders_reconciliation_age_seconds',
        help: 'The longest time since a tenant with a shop was last compared with the payment gateway',
      },
      oldestMissingDays: {
        name: 'orders_reconciliation_oldest_missing_days',
        help: 'Days since the oldest day on which a tenant with a shop was not compared with the payment gateway; 0 if none is missing',
      },
    },
    () => readReconciliationFigures(database),
  );
}
