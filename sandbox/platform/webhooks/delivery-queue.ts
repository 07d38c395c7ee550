import type { Delivery } from './delivery-log.ts';

/** A source of deliveries, drawn from only as fast as they are sent. */
export interface Feed {
  tenantIntegrationId: string;
  next(): Delivery | undefined;
}

interface Lane {
  waiting: Delivery[];
  /** Index of the next one in `waiting`; those before it have been sent. */
  head: number;
  feeds: Feed[];
  inFlight: number;
}

const PARALLEL_PER_LANE = 24;
const TIDY_AT = 10_000;

/** One lane per integration, so that an unavailable one holds up no other. */
export function createDeliveryQueue(deliver: (delivery: Delivery) => Promise<void>) {
  const lanes = new Map<string, Lane>();
  const timers = new Set<NodeJS.Timeout>();
  let running = false;

  function laneOf(tenantIntegrationId: string): Lane {
    let found = lanes.get(tenantIntegrationId);
    if (!found) lanes.set(tenantIntegrationId, (found = { waiting: [], head: 0, feeds: [], inFlight: 0 }));
    return found;
  }

  function pump(lane: Lane): void {
    if (!running) return;
    while (lane.inFlight < PARALLEL_PER_LANE) {
      const delivery = draw(lane);
      if (!delivery) return;
      lane.inFlight += 1;
      void deliver(delivery).finally(() => {
        lane.inFlight -= 1;
        pump(lane);
      });
    }
  }

  function add(delivery: Delivery): void {
    const lane = laneOf(delivery.tenantIntegrationId);
    lane.waiting.push(delivery);
    pump(lane);
  }

  return {
    add,
    addLater(delivery: Delivery, waitMs: number): void {
      const timer = setTimeout(() => {
        timers.delete(timer);
        add(delivery);
      }, waitMs);
      timers.add(timer);
    },
    feed(feed: Feed): void {
      const lane = laneOf(feed.tenantIntegrationId);
      lane.feeds.push(feed);
      pump(lane);
    },
    isRunning: () => running,
    start(): void {
      running = true;
      for (const lane of lanes.values()) pump(lane);
    },
    stop(): void {
      running = false;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function draw(lane: Lane): Delivery | undefined {
  const waiting = lane.waiting[lane.head];
  if (waiting) {
    lane.head += 1;
    if (lane.head >= TIDY_AT) {
      lane.waiting = lane.waiting.slice(lane.head);
      lane.head = 0;
    }
    return waiting;
  }
  lane.waiting = [];
  lane.head = 0;
  while (lane.feeds[0]) {
    const drawn = lane.feeds[0].next();
    if (drawn) return drawn;
    lane.feeds.shift();
  }
  return undefined;
}
