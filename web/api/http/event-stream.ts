export interface ServerEvent {
  event: string;
  data: string;
}

/** Cuts a text/event-stream into its events, whatever the chunks' borders. Comments and unknown fields are skipped. */
export function createEventParser(onEvent: (event: ServerEvent) => void): (chunk: string) => void {
  let rest = '';
  let event = '';
  let data: string[] = [];

  function line(text: string): void {
    if (text === '') {
      if (data.length > 0) onEvent({ event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    const colon = text.indexOf(':');
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }

  return (chunk) => {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const text of lines) line(text);
  };
}

/** Reads the stream to its end. Rejects when the connection breaks. `onBytes` is called for anything that arrives. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ServerEvent) => void,
  onBytes: () => void,
): Promise<void> {
  const parse = createEventParser(onEvent);
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    parse(decoder.decode(value, { stream: true }));
  }
}
