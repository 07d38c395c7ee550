import type { WebhookClient } from '../../../clients/merchant/webhook-client.ts';
import type { Database } from '../../../db/database.ts';
import type { Encryption } from '../../../db/encryption.ts';
import {
  claimDeliveries,
  type ClaimedDelivery,
  endDelivery,
  postponeDelivery,
} from '../../../db/orders/merchant-events/relay.ts';
import { secretContext } from '../../../db/orders/merchant-events/webhooks.ts';
import { notingSome } from '../../../db/recurring/runs.ts';
import { retryDelayMs } from '../../../domain/orders/merchant-events/retries.ts';
import { RELAY } from '../../../domain/recurring/sweep.ts';
import type { Logger } from '../../runtime/logger.ts';

/** `given_up` ends an event that was not accepted for 3 days; `not_stored`: the attempt will be repeated. */
export type DeliveryResult = 'delivered' | 'rejected' | 'no_response' | 'given_up' | 'not_stored';

export interface RelayDeps {
  database: Database;
  encryption: Encryption;
  client: WebhookClient;
  logger: Logger;
  /** Called after each attempt. */
  onAttempt: (result: DeliveryResult) => void;
  limits?: Partial<RelayLimits>;
}

export interface RelayLimits {
  /** Posts of this process under way at once. */
  total: number;
  /** Posts to one webhook under way at once, so that a slow one does not hold up other tenants. */
  perWebhook: number;
  /** Far longer than a post may take. */
  leaseMs: number;
  /** How soon a new event is noticed. */
  pollMs: number;
}

const defaultLimits: RelayLimits = { total: 200, perWebhook: 4, leaseMs: 60_000, pollMs: 1000 };

/** Sends events to merchants until it is stopped. */
export interface Relay {
  /** Resolves after `shutdown`, once what is under way has ended. */
  run(): Promise<void>;
  shutdown(): void;
}

/** Posts one event and stores what came of it. @throws if that cannot be stored. */
async function attempt({ database, encryption, client }: RelayDeps, claimed: ClaimedDelivery): Promise<DeliveryResult> {
  const { eventId, body, url, tenantId, sealedSecret, elapsedMs } = claimed;
  const secret = encryption.decrypt(sealedSecret, secretContext(tenantId));
  const { accepted, ...result } = await client.post({ url, secret, eventId, body });
  if (accepted) {
    await endDelivery(database, claimed, 'delivered', result);
    return 'delivered';
  }
  const delayMs = retryDelayMs(elapsedMs, Math.random());
  if (delayMs === null) {
    await endDelivery(database, claimed, 'failed', result);
    return 'given_up';
  }
  await postponeDelivery(database, claimed, delayMs, result);
  return result.status === null ? 'no_response' : 'rejected';
}

/** Something that a loop can wait for, and that may happen before it waits. */
function createBell() {
  let rung = false;
  let listener: (() => void) | null = null;
  return {
    ring(): void {
      rung = true;
      listener?.();
    },
    async heardWithin(ms: number): Promise<void> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          listener = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        listener = null;
      }
      rung = false;
    },
  };
}

/**
 * Takes due deliveries from the table, a few of each webhook at once, and posts them. Several relays may run: a lease
 * keeps each delivery with one. One that dies leaves its leases to run out, and what it had posted is posted again.
 */
export function createRelay(deps: RelayDeps): Relay {
  const { total, perWebhook, leaseMs, pollMs } = { ...defaultLimits, ...deps.limits };
  const underWay = new Set<Promise<void>>();
  const bell = createBell();
  const stopping = new AbortController();
  const noting = notingSome(deps.database, RELAY);

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const result = await attempt(deps, claimed).catch((error: unknown): DeliveryResult => {
      deps.logger.warn({ err: error, deliveryId: claimed.deliveryId }, 'a delivery could not be stored');
      return 'not_stored';
    });
    deps.onAttempt(result);
  }

  async function claim(): Promise<ClaimedDelivery[]> {
    const room = total - underWay.size;
    if (room <= 0) return [];
    const limits = { room, perWebhook, leaseMs };
    return noting(() => claimDeliveries(deps.database, limits)).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'deliveries could not be claimed; trying again');
      return [];
    });
  }

  return {
    async run() {
      while (!stopping.signal.aborted) {
        for (const claimed of await claim()) {
          const work = deliver(claimed).finally(() => {
            underWay.delete(work);
            // There is room, and the next event of the order may be due.
            bell.ring();
          });
          underWay.add(work);
        }
        if (!stopping.signal.aborted) await bell.heardWithin(pollMs);
      }
      await Promise.all(underWay);
    },
    shutdown() {
      stopping.abort();
      bell.ring();
    },
  };
}
