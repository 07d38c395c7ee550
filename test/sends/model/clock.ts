import { setImmediate, setTimeout } from 'node:timers/promises';

/** Turns of the event loop without work in the database after which nothing more follows from what has happened. */
const QUIET_TURNS = 3;

/** Far more than any world needs to come to rest. */
const JUMPS_AT_MOST = 20_000;

interface Timer {
  at: number;
  /** Of two at the same time the one that was set first comes first. */
  order: number;
  ring: () => void;
}

/**
 * A clock that stands still while anything is done, and then jumps to the next moment for which somebody waits: a day
 * takes as long as the work in it, and nothing happens at the same time by accident. The clock that the service and the
 * workflow server have may be set meanwhile; what sleeps is woken all the same.
 * @param isBusy whether the database is working; nothing else takes time.
 * @param jumpsAtMost after which it fails: what is under way does not come to rest.
 */
export function startClock(start: Date, isBusy: () => boolean, jumpsAtMost = JUMPS_AT_MOST) {
  const timers = new Set<Timer>();
  let now = start.getTime();
  let ahead = 0;
  let settings = 0;
  let orders = 0;
  let failure: unknown;
  let jumps = 0;

  async function becomeQuiet(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS;) {
      if (isBusy()) {
        turns = 0;
        await setTimeout(1);
      } else {
        turns += 1;
        await setImmediate();
      }
      if (failure !== undefined) throw failure;
    }
  }

  const next = (): Timer | undefined => {
    let found: Timer | undefined;
    for (const timer of timers)
      if (!found || timer.at < found.at || (timer.at === found.at && timer.order < found.order)) found = timer;
    return found;
  };

  async function pass(ms: number): Promise<void> {
    const end = now + ms;
    for (;;) {
      await becomeQuiet();
      const timer = next();
      if (!timer || timer.at > end) {
        if (timer) now = end;
        return;
      }
      timers.delete(timer);
      now = Math.max(now, timer.at);
      jumps += 1;
      if (jumps > jumpsAtMost) throw new Error('It does not come to rest');
      timer.ring();
    }
  }

  return {
    /** What the service's own clock says. */
    now: () => new Date(now + ahead),
    /** What the clock of everybody else says, in milliseconds since the epoch. */
    elsewhere: () => now,
    /** Sets the service's clock forward, or back. */
    set: (ms: number): void => {
      ahead += ms;
      settings += 1;
    },
    /** How often the service's clock was set. */
    settings: () => settings,
    /** Milliseconds since the beginning. */
    elapsed: () => now - start.getTime(),
    jumps: () => jumps,
    /** Rejects once `cancelled` is aborted. */
    sleep: (ms: number, cancelled?: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        const cancel = () => {
          timers.delete(timer);
          reject(new Error('The sleep was cancelled'));
        };
        const ring = () => {
          cancelled?.removeEventListener('abort', cancel);
          resolve();
        };
        const timer: Timer = { at: now + Math.max(ms, 0), order: (orders += 1), ring };
        timers.add(timer);
        cancelled?.addEventListener('abort', cancel);
      }),
    /** Something goes on by itself; if it fails, `pass` does. */
    begin: (work: () => Promise<unknown>): void => {
      work().catch((error: unknown) => (failure ??= error));
    },
    /** Lets so much time pass, or less if nobody waits for it any more, until nothing is being done. */
    pass,
    /** Does something that takes time, and lets it pass meanwhile. */
    during: async (work: () => Promise<void>): Promise<void> => {
      const state = { done: false };
      const doing = work().finally(() => (state.done = true));
      doing.catch(() => undefined);
      while (!state.done) await pass(1000);
      await doing;
    },
  };
}

export type Clock = ReturnType<typeof startClock>;
