import { listen } from '#web/api/http/event-stream.ts';
import { ApiProblem } from '#web/api/http/problem.ts';
import { unattended } from '#web/api/index.ts';

/** The stream has a heartbeat every two seconds. */
const LONGEST_SILENCE_MS = 10_000;
const PAUSE_MS = 5000;
/** For somebody whose session or role has ended: who signs in again loads the page anew, or comes back to this one. */
const LONG_PAUSE_MS = 60_000;
const refusals = new Set(['unauthorized', 'forbidden', 'gone']);

type Tell = (unread: number) => void;

const waited = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function readUnread(tell: Tell, signal: AbortSignal): Promise<void> {
  const { unread } = await unattended.call('listNotices', { query: { limit: 1 }, signal });
  tell(unread);
}

/** Does something again and again, and waits in between, longer where it is refused. */
async function repeat(signal: AbortSignal, step: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    let pause = PAUSE_MS;
    try {
      await step();
    } catch (error) {
      // A lost connection is reported by what the page itself reads.
      if (error instanceof ApiProblem && refusals.has(error.code)) pause = LONG_PAUSE_MS;
    }
    if (!signal.aborted) await waited(pause);
  }
}

/** Tells how many notices are unread, by a stream, and reads it now and then while there is none. */
export const followUnread = (tell: Tell, signal: AbortSignal): Promise<void> =>
  repeat(signal, async () => {
    const listening = listen({
      open: (own) => unattended.open('streamNotices', { signal: own }),
      signal,
      longestSilenceMs: LONGEST_SILENCE_MS,
      onEvent: ({ event, data }) => {
        if (event === 'notices') tell((JSON.parse(data) as { unread: number }).unread);
      },
    });
    await listening.catch((error: unknown) => {
      if (error instanceof ApiProblem && refusals.has(error.code)) throw error;
    });
    if (!signal.aborted) await readUnread(tell, signal);
  });

/** The same without a connection of its own, for a tab that does not know of the others. */
export const pollUnread = (tell: Tell, signal: AbortSignal): Promise<void> =>
  repeat(signal, async () => {
    if (!document.hidden) await readUnread(tell, signal);
  });
