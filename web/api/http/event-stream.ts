import { createParser } from 'eventsource-parser';

export interface ServerEvent {
  event: string;
  data: string;
}

/** Time limit for the response of a stream. */
const LONGEST_OPENING_MS = 20_000;

interface Listening {
  open: (signal: AbortSignal) => Promise<Response>;
  signal: AbortSignal;
  /** A stream that is silent for longer is lost: it has a heartbeat. */
  longestSilenceMs: number;
  onEvent: (event: ServerEvent) => void;
}

/**
 * Follows a stream over one connection, until it ends, falls silent, or the browser loses its network. Rejects as `open`
 * does, and if the connection breaks.
 */
export async function listen({ open, signal, longestSilenceMs, onEvent }: Listening): Promise<void> {
  const own = new AbortController();
  const stop = () => own.abort();
  let watchdog = setTimeout(stop, LONGEST_OPENING_MS);
  signal.addEventListener('abort', stop);
  addEventListener('offline', stop);
  try {
    const { body } = await open(own.signal);
    if (!body) return;
    await readEvents(body, onEvent, () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(stop, longestSilenceMs);
    });
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener('abort', stop);
    removeEventListener('offline', stop);
  }
}

/** Reads the stream to its end. Rejects if the connection breaks. `onBytes` is called whenever anything arrives. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ServerEvent) => void,
  onBytes: () => void,
): Promise<void> {
  const parser = createParser({ onEvent: ({ event = 'message', data }) => onEvent({ event, data }) });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    parser.feed(decoder.decode(value, { stream: true }));
  }
}
