import { createQueue, type Waiting } from './queue.ts';

/** A call that may be made now. One of the two must follow. */
export interface Turn {
  /** The call has ended. */
  end(): void;
  /** No call was made: the next in the queue makes one instead. */
  giveBack(): void;
}

/** Where all calls of one integration in this process wait for their turn. */
export interface Gate {
  /** Null if the platform asked for a pause, or `signal` aborts. @throws what `take` throws. */
  turn(waiting?: Waiting): Promise<Turn | null>;
  /** No turns before `until`; waiting callers learn that at once. */
  pause(until: Date): void;
  /** Null if there is no pause now. */
  pausedUntil(): Date | null;
}

export interface GateDeps {
  /**
   * Takes tokens from the bucket that all processes share, as many as are asked for.
   * @returns milliseconds until the first may be used; null if the integration may not be called at all.
   */
  take(count: number): Promise<number | null>;
  perSecond: number;
  now: () => Date;
}

/**
 * Calls under way at most at first, and after a pause; one more with each that ends. Otherwise a platform that wants no
 * calls would get all that are waiting before it could say so.
 */
const FIRST_CALLS = 2;

/** After this long without calls it starts from one again, and unused tokens expire. */
const FORGET_MS = 1000;

/** The tokens that this process has taken and not used: from when each may be used, by its own clock. */
function createTokens({ take, perSecond }: Pick<GateDeps, 'take' | 'perSecond'>) {
  const intervalMs = 1000 / perSecond;
  const mostAtOnce = Math.max(1, Math.floor(perSecond / 4));
  let usableFrom: number[] = [];
  return {
    /** From when the first may be used; undefined if there is none. */
    first: (at: number): number | undefined => {
      usableFrom = usableFrom.filter((from) => from > at - FORGET_MS);
      return usableFrom[0];
    },
    use: () => void usableFrom.shift(),
    giveBack: () => void usableFrom.unshift(performance.now()),
    /** Takes at least one. @returns false if the integration may not be called. */
    refill: async (wanted: number): Promise<boolean> => {
      const count = Math.min(Math.max(1, wanted), mostAtOnce);
      const firstInMs = await take(count);
      if (firstInMs === null) return false;
      const from = performance.now() + firstInMs;
      usableFrom.push(...Array.from({ length: count }, (_, index) => from + index * intervalMs));
      return true;
    },
    drop: () => {
      usableFrom = [];
    },
  };
}

/** How many calls may be under way; see `FIRST_CALLS`. */
function createWindow() {
  let allowed = FIRST_CALLS;
  let underWay = 0;
  let lastEnd = 0;
  return {
    free: () => allowed - underWay,
    begin: () => {
      underWay += 1;
    },
    end: (widen: boolean) => {
      underWay -= 1;
      lastEnd = performance.now();
      if (widen) allowed += 1;
    },
    narrow: () => {
      allowed = FIRST_CALLS;
    },
    isIdle: () => underWay === 0 && performance.now() - lastEnd > FORGET_MS,
  };
}

/** @returns the gate of one integration; its state is of this process, except for the tokens. */
export function createGate({ take, perSecond, now }: GateDeps): Gate {
  const queue = createQueue<Turn>();
  const tokens = createTokens({ take, perSecond });
  const window = createWindow();
  let until = 0;
  let taking = false;
  let timer: NodeJS.Timeout | undefined;

  const isPaused = () => until > now().getTime();
  const mayCall = () => queue.first() !== undefined && (queue.first()?.ahead || window.free() > 0);

  function ended(called: boolean): void {
    if (!called) tokens.giveBack();
    window.end(called && !isPaused());
    admit();
  }

  async function refill(): Promise<void> {
    taking = true;
    try {
      if (!(await tokens.refill(Math.min(queue.length, window.free())))) queue.dismiss();
    } catch (error) {
      queue.dismiss(error);
    }
    taking = false;
    admit();
  }

  /** Gives turns to waiting callers while there are tokens; otherwise requests more. */
  function admit(): void {
    clearTimeout(timer);
    if (isPaused()) {
      tokens.drop();
      return queue.dismiss();
    }
    const at = performance.now();
    while (mayCall() && (tokens.first(at) ?? Infinity) <= at) {
      tokens.use();
      window.begin();
      queue.serve({ end: () => ended(true), giveBack: () => ended(false) });
    }
    if (!mayCall() || taking) return;
    const usable = tokens.first(at);
    if (usable !== undefined) timer = setTimeout(admit, usable - at);
    else void refill();
  }

  return {
    turn: async (waiting = {}) => {
      if (isPaused() || waiting.signal?.aborted) return null;
      if (window.isIdle() && queue.length === 0) window.narrow();
      const turn = queue.join(waiting);
      admit();
      return await turn;
    },
    pause: (given) => {
      until = Math.max(until, given.getTime());
      window.narrow();
      admit();
    },
    pausedUntil: () => (isPaused() ? new Date(until) : null),
  };
}
