/** What a stream of server-sent events has carried. */
export interface RecordedStream {
  text(): string;
  close(): void;
}

/** Opens the stream and keeps all that comes, until it is closed or ends. */
export async function recordStream(address: string, token: string): Promise<RecordedStream> {
  const ending = new AbortController();
  const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` }, signal: ending.signal });
  if (!response.ok || !response.body) throw new Error(`The stream is answered ${response.status}`);
  let text = '';
  const decoder = new TextDecoder();
  const read = async (body: AsyncIterable<Uint8Array>) => {
    for await (const part of body) text += decoder.decode(part, { stream: true });
  };
  // Closing it is how it ends.
  read(response.body).catch(() => undefined);
  return { text: () => text, close: () => ending.abort() };
}
