/** What a stream of server-sent events has delivered. */
export interface RecordedStream {
  text(): string;
  ended(): boolean;
  close(): void;
}

/** Opens the stream and keeps everything that arrives until it is closed or ends. */
export async function recordStream(address: string, token: string): Promise<RecordedStream> {
  const ending = new AbortController();
  const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` }, signal: ending.signal });
  if (!response.ok || !response.body) throw new Error(`The response to the stream is ${response.status}`);
  let text = '';
  const decoder = new TextDecoder();
  const read = async (body: AsyncIterable<Uint8Array>) => {
    for await (const part of body) text += decoder.decode(part, { stream: true });
  };
  let ended = false;
  // Closing the stream aborts the read, which rejects.
  void read(response.body)
    .catch(() => undefined)
    .then(() => (ended = true));
  return { text: () => text, ended: () => ended, close: () => ending.abort() };
}
