export interface TurnLimits {
  /** How much work of one tenant may be begun and not yet done. */
  atOnce: number;
  /** Work that takes longer waits for somebody else, and no longer counts. */
  longestMs: number;
}

interface Lane {
  busy: number;
  waiting: (() => void)[];
}

/**
 * A tenant's work waits, first come first served, while too much of the same tenant's is under way; other tenants'
 * work goes past it. Work that nobody wants any more when its turn comes is not begun: undefined.
 */
export function createTurns({ atOnce, longestMs }: TurnLimits) {
  const lanes = new Map<string, Lane>();

  function beginNext(tenantId: string, lane: Lane): void {
    while (lane.busy < atOnce) {
      const begin = lane.waiting.shift();
      if (!begin) break;
      lane.busy += 1;
      begin();
    }
    if (lane.busy === 0) lanes.delete(tenantId);
  }

  return async function inTurn<T>(
    tenantId: string,
    isWanted: () => boolean,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const lane = lanes.get(tenantId) ?? { busy: 0, waiting: [] };
    lanes.set(tenantId, lane);
    await new Promise<void>((resolve) => {
      lane.waiting.push(resolve);
      beginNext(tenantId, lane);
    });
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      lane.busy -= 1;
      beginNext(tenantId, lane);
    };
    const timer = setTimeout(leave, longestMs);
    try {
      return isWanted() ? await work() : undefined;
    } finally {
      clearTimeout(timer);
      leave();
    }
  };
}
