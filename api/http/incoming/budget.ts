import { Problem } from '#domain/api/problem.ts';
import { BODY_LIMIT, readBody } from '../body.ts';
import { type Arriving, arrivesAtOnce, closeAfterwards } from './chunks.ts';

export interface BudgetLimits {
  /** Of all bodies. */
  bytes: number;
  /** Of the bodies that name the same sender. */
  bytesPerSender: number;
}

const MIB = 1_048_576;

/** Several thousand events of the usual size; four senders at their limit leave nothing to others. */
export const budgetLimits: BudgetLimits = { bytes: 64 * MIB, bytesPerSender: 16 * MIB };

/** Bodies whose sender is not known to be who it says, which this process holds at once. */
export interface BodyBudget {
  /**
   * Receives a body, and counts its bytes from their arrival until `use` has ended. Where there is no room, the body that
   * has been arriving for the longest makes room: those who send in earnest are done in milliseconds.
   * @param sender whom the request names
   * @throws Problem `unavailable` without room, `too_large`, `too_slow`, `invalid_request`, and what `use` throws.
   */
  receive<T>(arriving: Arriving, sender: string, use: (body: Buffer) => Promise<T>): Promise<T>;
}

interface Held {
  sender: string;
  bytes: number;
  arriving: boolean;
  /** Fulfilled when others need its room. */
  evict: () => void;
}

const noRoom = (): Problem =>
  new Problem('unavailable', 'Too much is being received; try again', { retryAfterSeconds: 1 });

/** Held bytes by sender, oldest first. */
function createHoldings({ bytes: most, bytesPerSender }: BudgetLimits) {
  const all = new Set<Held>();
  const ofSender = new Map<string, number>();
  let total = 0;

  function count(held: Held, bytes: number): void {
    held.bytes += bytes;
    total += bytes;
    const now = (ofSender.get(held.sender) ?? 0) + bytes;
    if (now > 0) ofSender.set(held.sender, now);
    else ofSender.delete(held.sender);
  }

  function end(held: Held): void {
    if (all.delete(held)) count(held, -held.bytes);
  }

  /** The body to evict so that more of this one fits. */
  function evictionCandidate(held: Held, bytes: number): Held | undefined {
    const isSenderFull = (ofSender.get(held.sender) ?? 0) + bytes > bytesPerSender;
    if (!isSenderFull && total + bytes <= most) return undefined;
    for (const one of all) if (one.arriving && (!isSenderFull || one.sender === held.sender)) return one;
    return held;
  }

  return {
    begin: (held: Held): void => void all.add(held),
    end,
    /** @throws Problem `unavailable` */
    add(held: Held, bytes: number): void {
      // An evicted body may continue to arrive until its connection is closed.
      if (!all.has(held)) throw noRoom();
      for (let other = evictionCandidate(held, bytes); other; other = evictionCandidate(held, bytes)) {
        if (other === held) throw noRoom();
        end(other);
        other.evict();
      }
      count(held, bytes);
    },
  };
}

export function createBodyBudget(limits: BudgetLimits = budgetLimits): BodyBudget {
  const holdings = createHoldings(limits);

  /** Rejects when others need the room of a body that is still arriving. */
  function pushedOut(arriving: Arriving, held: Held): Promise<never> {
    return new Promise<never>((_, reject) => {
      held.evict = () => {
        // It may never arrive, so the connection has no further request.
        closeAfterwards(arriving);
        reject(noRoom());
      };
    });
  }

  async function arrive(arriving: Arriving, held: Held): Promise<Buffer> {
    const read = () => readBody(arriving, BODY_LIMIT, (chunk) => holdings.add(held, chunk.length));
    try {
      // A complete body is processed at once, so it is never evicted.
      if (await arrivesAtOnce(arriving)) return await read();
      return await Promise.race([read(), pushedOut(arriving, held)]);
    } finally {
      held.arriving = false;
    }
  }

  return {
    async receive(arriving, sender, use) {
      const held: Held = { sender, bytes: 0, arriving: true, evict: () => undefined };
      holdings.begin(held);
      try {
        return await use(await arrive(arriving, held));
      } finally {
        holdings.end(held);
      }
    },
  };
}
