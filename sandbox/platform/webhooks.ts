import { createNonce } from '../../domain/signature.ts';
import type { Journal, Slice } from '../journal.ts';
import { createId } from '../random.ts';
import type { Integrations } from './integrations.ts';
import type { Outbound, Outcome } from './outbound.ts';

/** An event on its way to the application, or what became of it. */
export interface Delivery {
  deliveryId: string;
  tenantIntegrationId: string;
  url: string;
  eventId: string;
  eventType: string;
  body: string;
  status: 'pending' | 'delivered' | 'refused' | 'expired';
  attempts: number;
  /** The last answer's status; null where none came. */
  lastStatus: number | null;
  lastError?: string;
  queuedAt: number;
  endedAt?: number;
}

export interface EventDraft {
  eventType: string;
  serviceNumberId?: string | undefined;
  data: Record<string, unknown>;
  occurredAt?: string | undefined;
  eventId?: string | undefined;
}

type Entry =
  | { kind: 'queued'; delivery: Delivery }
  | {
      kind: 'ended';
      deliveryId: string;
      status: Delivery['status'];
      attempts: number;
      lastStatus: number | null;
      at: number;
    };

/** A source of deliveries that is drawn from only as fast as they leave. */
export interface Feed {
  tenantIntegrationId: string;
  next(): Delivery | undefined;
}

const KEPT_ENDED = 20_000;
const PARALLEL_PER_INTEGRATION = 24;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
const LONGEST_WAIT_MS = 30_000;
/** Answers after which a repetition cannot help. */
const FINAL = new Set([400, 403, 405, 410, 413, 415, 422]);

interface Queue {
  waiting: Delivery[];
  feeds: Feed[];
  inFlight: number;
}

interface Sending {
  nonce: string;
  /** An earlier attempt with this nonce had no answer, so that 409 means it had arrived. */
  unanswered: boolean;
}

/** Signed webhooks: queued on disk, repeated with growing waits until answered 2xx, and logged. */
export function createWebhooks(journal: Journal, integrations: Integrations, outbound: Outbound) {
  const pending = new Map<string, Delivery>();
  let ended: Delivery[] = [];
  const counts: Record<string, number> = {};
  const queues = new Map<string, Queue>();
  const sendings = new Map<string, Sending>();
  const timers = new Set<NodeJS.Timeout>();
  const listeners = new Set<(delivery: Delivery) => void>();
  let running = false;

  const slice: Slice<Entry> = {
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
  };
  const record = journal.register('webhooks', slice);

  function keep(delivery: Delivery): void {
    counts[delivery.status] = (counts[delivery.status] ?? 0) + 1;
    ended.push(delivery);
    if (ended.length > KEPT_ENDED * 2) ended = ended.slice(-KEPT_ENDED);
  }

  function queueOf(tenantIntegrationId: string): Queue {
    let found = queues.get(tenantIntegrationId);
    if (!found) queues.set(tenantIntegrationId, (found = { waiting: [], feeds: [], inFlight: 0 }));
    return found;
  }

  function nextOf(queue: Queue): Delivery | undefined {
    const waiting = queue.waiting.shift();
    if (waiting) return waiting;
    while (queue.feeds[0]) {
      const drawn = queue.feeds[0].next();
      if (drawn) return drawn;
      queue.feeds.shift();
    }
    return undefined;
  }

  function pump(queue: Queue): void {
    while (running && queue.inFlight < PARALLEL_PER_INTEGRATION) {
      const delivery = nextOf(queue);
      if (!delivery) return;
      queue.inFlight += 1;
      void attempt(delivery).finally(() => {
        queue.inFlight -= 1;
        pump(queue);
      });
    }
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const integration = integrations.find(delivery.tenantIntegrationId);
    if (!integration) return end(delivery, 'refused');
    const sending = sendings.get(delivery.deliveryId) ?? { nonce: createNonce(), unanswered: false };
    const outcome = await outbound.send({
      route: 'webhook',
      url: delivery.url,
      tenantIntegrationId: delivery.tenantIntegrationId,
      secret: integration.secret,
      nonce: sending.nonce,
      body: delivery.body,
    });
    if (!running) return;
    delivery.attempts += 1;
    delivery.lastStatus = outcome.answered ? outcome.status : null;
    if (!outcome.answered) delivery.lastError = outcome.reason;
    const verdict = judge(outcome, sending);
    if (verdict !== 'again') return end(delivery, verdict);
    if (Date.now() - delivery.queuedAt > GIVE_UP_AFTER_MS) return end(delivery, 'expired');
    repeat(delivery, sending, outcome);
  }

  function repeat(delivery: Delivery, sending: Sending, outcome: Outcome): void {
    sendings.set(
      delivery.deliveryId,
      outcome.answered ? { nonce: createNonce(), unanswered: false } : { nonce: sending.nonce, unanswered: true },
    );
    const grown = 200 * 2 ** Math.min(delivery.attempts - 1, 10);
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(grown, outcome.answered ? outcome.retryAfterMs : 0));
    const timer = setTimeout(() => {
      timers.delete(timer);
      enqueue(delivery);
    }, wait);
    timers.add(timer);
  }

  function end(delivery: Delivery, status: Exclude<Delivery['status'], 'pending'>): void {
    sendings.delete(delivery.deliveryId);
    const { deliveryId, attempts, lastStatus } = delivery;
    if (pending.has(deliveryId)) record({ kind: 'ended', deliveryId, status, attempts, lastStatus, at: Date.now() });
    else keep(Object.assign(delivery, { status, endedAt: Date.now() }));
    for (const listener of listeners) listener(delivery);
  }

  function enqueue(delivery: Delivery): void {
    const queue = queueOf(delivery.tenantIntegrationId);
    queue.waiting.push(delivery);
    pump(queue);
  }

  return {
    /** Queues an event for an integration; `times` deliveries of the same event. */
    emit(to: { tenantIntegrationId: string; url: string }, draft: EventDraft, times = 1): string {
      const eventId = draft.eventId ?? createId('evt');
      for (let copy = 0; copy < times; copy += 1) {
        const delivery = draftDelivery(to, { ...draft, eventId });
        record({ kind: 'queued', delivery });
        enqueue(delivery);
      }
      return eventId;
    },
    feed(feed: Feed): void {
      const queue = queueOf(feed.tenantIntegrationId);
      queue.feeds.push(feed);
      pump(queue);
    },
    /** Calls back at every delivery's end; the returned function stops that. */
    onEnd(listener: (delivery: Delivery) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Sends what an earlier process left pending. */
    start(): void {
      running = true;
      for (const delivery of pending.values()) queueOf(delivery.tenantIntegrationId).waiting.push(delivery);
      for (const queue of queues.values()) pump(queue);
    },
    stop(): void {
      running = false;
      for (const timer of timers) clearTimeout(timer);
    },
    log: () => ({ pending: [...pending.values()], ended, counts: { ...counts, pending: pending.size } }),
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

function judge(outcome: Outcome, sending: Sending): 'delivered' | 'refused' | 'again' {
  if (!outcome.answered) return 'again';
  if (outcome.status >= 200 && outcome.status < 300) return 'delivered';
  if (outcome.status === 409 && sending.unanswered) return 'delivered';
  return FINAL.has(outcome.status) ? 'refused' : 'again';
}

/** A delivery with its envelope. */
export function draftDelivery(
  { tenantIntegrationId, url }: { tenantIntegrationId: string; url: string },
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
