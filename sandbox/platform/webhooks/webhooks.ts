import { createNonce } from '#domain/signature.ts';
import type { Journal } from '#sandbox/journal.ts';
import { createId } from '#sandbox/random.ts';
import { createDeliveryLog } from './delivery-log.ts';
import type { Delivery } from './delivery-log.ts';
import { createDeliveryQueue } from './delivery-queue.ts';
import type { Integrations } from '../integration/integrations.ts';
import type { Outbound, Outcome } from './outbound.ts';

export interface Recipient {
  tenantIntegrationId: string;
  url: string;
}

export interface EventDraft {
  eventType: string;
  serviceNumberId?: string | undefined;
  data: Record<string, unknown>;
  occurredAt?: string | undefined;
  eventId?: string | undefined;
}

interface Sending {
  nonce: string;
  /** An earlier attempt with this nonce got no response, so a 409 means that it had arrived. */
  withoutResponse: boolean;
}

const GIVE_UP_AFTER_MS = 24 * 3_600_000;
const LONGEST_WAIT_MS = 30_000;
/** Statuses after which a retry cannot help. */
const FINAL = new Set([400, 403, 405, 410, 413, 415, 422]);

/** Signed webhooks: queued on disk, retried with growing delays until the response is 2xx, and logged. */
export function createWebhooks(journal: Journal, integrations: Integrations, outbound: Outbound) {
  const log = createDeliveryLog(journal);
  const sendings = new Map<string, Sending>();
  const listeners = new Set<(delivery: Delivery) => void>();
  const queue = createDeliveryQueue(attempt);

  async function attempt(delivery: Delivery): Promise<void> {
    const { tenantIntegrationId, url, body } = delivery;
    const integration = integrations.find(tenantIntegrationId);
    if (!integration) return end(delivery, 'refused');
    const sending = sendings.get(delivery.deliveryId) ?? { nonce: createNonce(), withoutResponse: false };
    const call = { url, tenantIntegrationId, secret: integration.secret, nonce: sending.nonce, body };
    const outcome = await outbound.send({ route: 'webhook', ...call });
    if (!queue.isRunning()) return;
    delivery.attempts += 1;
    delivery.lastStatus = outcome.answered ? outcome.status : null;
    if (!outcome.answered) delivery.lastError = outcome.reason;
    const verdict = judge(outcome, sending);
    if (verdict !== 'again') return end(delivery, verdict);
    if (Date.now() - delivery.queuedAt > GIVE_UP_AFTER_MS) return end(delivery, 'expired');
    sendings.set(delivery.deliveryId, nextSending(outcome, sending));
    queue.addLater(delivery, waitBefore(delivery.attempts, outcome));
  }

  function end(delivery: Delivery, status: Exclude<Delivery['status'], 'pending'>): void {
    sendings.delete(delivery.deliveryId);
    log.end(delivery, status);
    for (const listener of listeners) listener(delivery);
  }

  return {
    log,
    /** Queues an event for an integration; `times` deliveries of the same event. */
    emit(to: Recipient, draft: EventDraft, times = 1): string {
      const eventId = draft.eventId ?? createId('evt');
      for (let copy = 0; copy < times; copy += 1) {
        const delivery = draftDelivery(to, { ...draft, eventId });
        log.queued(delivery);
        queue.add(delivery);
      }
      return eventId;
    },
    feed: queue.feed,
    /** Calls back at the end of every delivery; the returned function unsubscribes. */
    onEnd(listener: (delivery: Delivery) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Sends what an earlier process left pending. */
    start(): void {
      for (const delivery of log.pending()) queue.add(delivery);
      queue.start();
    },
    stop: queue.stop,
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

function judge(outcome: Outcome, sending: Sending): 'delivered' | 'refused' | 'again' {
  if (!outcome.answered) return 'again';
  if (outcome.status >= 200 && outcome.status < 300) return 'delivered';
  if (outcome.status === 409 && sending.withoutResponse) return 'delivered';
  return FINAL.has(outcome.status) ? 'refused' : 'again';
}

/** A fresh nonce, unless there was no response. */
function nextSending(outcome: Outcome, { nonce }: Sending): Sending {
  return outcome.answered ? { nonce: createNonce(), withoutResponse: false } : { nonce, withoutResponse: true };
}

function waitBefore(attempts: number, outcome: Outcome): number {
  const grown = 200 * 2 ** Math.min(attempts - 1, 10);
  return Math.min(LONGEST_WAIT_MS, Math.max(grown, outcome.answered ? outcome.retryAfterMs : 0));
}

/** A delivery with its envelope. */
export function draftDelivery(
  { tenantIntegrationId, url }: Recipient,
  { eventType, serviceNumberId, data, occurredAt, eventId = createId('evt') }: EventDraft,
): Delivery {
  return {
    deliveryId: createId('dlv'),
    tenantIntegrationId,
    url,
    eventId,
    eventType,
    body: JSON.stringify({
      eventId,
      eventType,
      occurredAt: occurredAt ?? new Date().toISOString(),
      scope: serviceNumberId === undefined ? {} : { serviceNumberId },
      data,
    }),
    status: 'pending',
    attempts: 0,
    lastStatus: null,
    queuedAt: Date.now(),
  };
}
