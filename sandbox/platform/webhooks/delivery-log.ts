import type { Journal } from '#sandbox/journal.ts';

/** An event on its way to the application, or its outcome. */
export interface Delivery {
  deliveryId: string;
  tenantIntegrationId: string;
  url: string;
  eventId: string;
  eventType: string;
  body: string;
  status: 'pending' | 'delivered' | 'refused' | 'expired';
  attempts: number;
  /** The status of the last response; null if there was none. */
  lastStatus: number | null;
  lastError?: string;
  queuedAt: number;
  endedAt?: number;
}

interface Ending {
  kind: 'ended';
  deliveryId: string;
  status: Delivery['status'];
  attempts: number;
  lastStatus: number | null;
  at: number;
}

type Entry = { kind: 'queued'; delivery: Delivery } | Ending;

const KEPT_ENDED = 20_000;

/** Pending deliveries, and the newest 20,000 to 40,000 that have ended. */
export function createDeliveryLog(journal: Journal) {
  const pending = new Map<string, Delivery>();
  let ended: Delivery[] = [];
  const counts: Record<string, number> = {};

  function keep(delivery: Delivery): void {
    counts[delivery.status] = (counts[delivery.status] ?? 0) + 1;
    ended.push(delivery);
    if (ended.length > KEPT_ENDED * 2) ended = ended.slice(-KEPT_ENDED);
  }

  const record = journal.register<Entry>('webhooks', {
    apply(entry) {
      if (entry.kind === 'queued') {
        if (entry.delivery.status === 'pending') pending.set(entry.delivery.deliveryId, entry.delivery);
        else keep(entry.delivery);
        return;
      }
      const delivery = pending.get(entry.deliveryId);
      if (!delivery) return;
      pending.delete(entry.deliveryId);
      const { status, attempts, lastStatus, at } = entry;
      keep(Object.assign(delivery, { status, attempts, lastStatus, endedAt: at }));
    },
    *dump() {
      for (const delivery of ended.slice(-KEPT_ENDED)) yield { kind: 'queued', delivery };
      for (const delivery of pending.values()) yield { kind: 'queued', delivery };
    },
  });

  return {
    pending: () => [...pending.values()],
    ended: () => ended,
    counts: () => ({ ...counts, pending: pending.size }),
    queued: (delivery: Delivery) => record({ kind: 'queued', delivery }),
    /** Ends a delivery; one drawn from a feed is not in the journal, since its feed tracks its own progress. */
    end(delivery: Delivery, status: Delivery['status']): void {
      const { deliveryId, attempts, lastStatus } = delivery;
      if (pending.has(deliveryId)) record({ kind: 'ended', deliveryId, status, attempts, lastStatus, at: Date.now() });
      else keep(Object.assign(delivery, { status, endedAt: Date.now() }));
    },
  };
}
