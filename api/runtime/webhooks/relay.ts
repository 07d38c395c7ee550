import type { WebhookClient } from '#clients/webhooks/webhook-client.ts';
import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { notingSome } from '#db/recurring/runs.ts';
import {
  type AttemptResult,
  type ClaimedDelivery,
  type ClaimLimits,
  postponeDelivery,
  secretContext,
} from '#db/webhooks/claims.ts';
import { RELAY } from '#domain/recurring/sweep.ts';
import { retryDelayMs } from '#domain/webhooks/retries.ts';
import type { Logger } from '../logger.ts';

/** `given_up` ends an event that was not accepted for 3 days; `not_stored`: the attempt will be repeated. */
export type DeliveryResult = 'delivered' | 'rejected' | 'no_response' | 'given_up' | 'not_stored';

/** The deliveries of one schema. */
export interface DeliveryStore {
  claim(database: Database, limits: ClaimLimits): Promise<ClaimedDelivery[]>;
  end(
    database: Database,
    claimed: ClaimedDelivery,
    to: 'delivered' | 'failed',
    result: AttemptResult,
  ): Promise<unknown>;
  /** Notes with the webhook how each attempt went, where that is kept. */
  note?(database: Database, claimed: ClaimedDelivery, accepted: boolean): Promise<void>;
}

export interface RelayDeps {
  database: Database;
  deliveries: DeliveryStore;
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

/** Sends events to webhooks until it is stopped. */
export interface Relay {
  /** Resolves after `shutdown`, once deliveries in flight have ended. */
  run(): Promise<void>;
  shutdown(): void;
}

/** Posts one event and stores what came of it. @throws if that cannot be stored. */
async function attempt(
  { database, deliveries, encryption, client }: RelayDeps,
  claimed: ClaimedDelivery,
): Promise<DeliveryResult> {
  const { eventId, body, url, tenantId, sealedSecrets, elapsedMs } = claimed;
  const secrets = sealedSecrets.map((sealed) => encryption.decrypt(sealed, secretContext(tenantId)));
  const { accepted, ...result } = await client.post({ url, secrets, eventId, body });
  await deliveries.note?.(database, claimed, accepted);
  if (accepted) {
    await deliveries.end(database, claimed, 'delivered', result);
    return 'delivered';
  }
  // oxlint-disable-next-line no-restricted-properties -- it only spreads work
  const delayMs = retryDelayMs(elapsedMs, Math.random());
  if (delayMs === null) {
    await deliveries.end(database, claimed, 'failed', result);
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
    return noting(() => deps.deliveries.claim(deps.database, limits)).catch((error: unknown) => {
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
            // There is room, and the next event of the same order or campaign may be due.
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
