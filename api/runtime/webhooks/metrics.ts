import { Counter, type Registry } from 'prom-client';
import type { Database } from '#db/database.ts';
import { readDeliveryFigures } from '#db/webhooks/figures.ts';
import { databaseGauges } from '#api/http/metrics.ts';
import type { DeliveryResult } from './relay.ts';

/**
 * What on-call staff see of the events that a service sends: `<prefix>_deliveries`, `<prefix>_delivery_oldest_seconds` and
 * `<prefix>_delivery_attempts_total`.
 * @param to whose webhooks they are, in words.
 * @param waiting see `readDeliveryFigures`.
 * @returns counts an attempt.
 */
export function deliveryMetrics(
  registry: Registry,
  database: Database,
  { prefix, to, waiting }: { prefix: string; to: string; waiting?: string },
): (result: DeliveryResult) => void {
  databaseGauges(
    registry,
    {
      deliveries: {
        name: `${prefix}_deliveries`,
        help: `Events to ${to} that are not delivered, by status: pending, failed`,
        labelNames: ['status'],
      },
      oldest: {
        name: `${prefix}_delivery_oldest_seconds`,
        help: 'Age of the oldest event that is pending; 0 without one',
      },
    },
    async () => {
      const { pending, failed, oldestSeconds } = await readDeliveryFigures(database, waiting);
      const labelled = (status: string, value: number) => ({ labels: { status }, value });
      return {
        deliveries: [labelled('pending', pending), labelled('failed', failed)],
        oldest: oldestSeconds,
      };
    },
  );
  const attempts = new Counter({
    name: `${prefix}_delivery_attempts_total`,
    help: `Attempts to deliver events to ${to} by result: delivered, rejected, no_response, given_up, not_stored`,
    labelNames: ['result'],
    registers: [registry],
  });
  return (result) => attempts.inc({ result });
}
