import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#db/database.ts';
import { setReadOnly } from '#test/support/servers/read-only.ts';

/** Before the first spell, between two, and how long one lasts: whoever is refused tries again within a second. */
const FIRST_AFTER_MS = 8000;
const EVERY_MS = { least: 15_000, most: 45_000 };
const SPELL_MS = 1500;

/** What many do at a time, and what one does alone. */
export function createTraffic() {
  const state: { going: number; closed: Promise<void> | null } = { going: 0, closed: null };
  let emptied = (): void => undefined;
  return {
    /** Does it while nobody does anything alone. */
    async join<Result>(work: () => Promise<Result>): Promise<Result> {
      while (state.closed) await state.closed;
      state.going += 1;
      try {
        return await work();
      } finally {
        state.going -= 1;
        if (state.going === 0) emptied();
      }
    },
    /** Does it once all others have finished what they do, and before they go on. */
    async alone(work: () => Promise<void>): Promise<void> {
      let open = (): void => undefined;
      state.closed = new Promise((resolve) => (open = resolve));
      if (state.going > 0) await new Promise<void>((resolve) => (emptied = resolve));
      try {
        await work();
      } finally {
        state.closed = null;
        open();
      }
    },
  };
}

export type Traffic = ReturnType<typeof createTraffic>;

/**
 * Now and then the database takes no writes while nobody calls, whatever payments and refunds are doing by themselves.
 * @returns how to end it; it says how often that was.
 */
export function refuseWritesNowAndThen(
  { traffic, sweep }: { traffic: Traffic; sweep: () => Promise<void> },
  database: Database,
): { stop(): Promise<number> } {
  const stopping = new AbortController();
  let spells = 0;
  async function spell(): Promise<void> {
    await setReadOnly(database, 'on');
    try {
      await sweep();
      await delay(SPELL_MS);
    } finally {
      await setReadOnly(database, 'off');
    }
    spells += 1;
  }
  const refusing = (async () => {
    while (!stopping.signal.aborted) {
      const between = EVERY_MS.least + Math.random() * (EVERY_MS.most - EVERY_MS.least);
      const wait = spells === 0 ? FIRST_AFTER_MS : between;
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (!stopping.signal.aborted) await traffic.alone(spell);
    }
  })();
  refusing.catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await refusing;
      return spells;
    },
  };
}
