import { createParser } from 'eventsource-parser';

export interface ServerEvent {
  event: string;
  data: string;
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
