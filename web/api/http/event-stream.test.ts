import { expect } from 'chai';
import { readEvents, type ServerEvent } from './event-stream.ts';

async function read(chunks: Uint8Array[]): Promise<{ events: ServerEvent[]; arrivals: number }> {
  const events: ServerEvent[] = [];
  let arrivals = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  await readEvents(
    body,
    (event) => events.push(event),
    () => (arrivals += 1),
  );
  return { events, arrivals };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const eventsIn = async (text: string) => (await read([bytes(text)])).events;

describe('event stream', () => {
  it('reads named events and joins data lines', async () => {
    expect(await eventsIn('event: progress\ndata: {"a":1,\ndata: "b":2}\n\n')).to.deep.equal([
      { event: 'progress', data: '{"a":1,\n"b":2}' },
    ]);
  });

  it('accepts chunks that end anywhere, even within a line end or a character', async () => {
    const whole = bytes(': hello\nevent: progress\r\ndata: 完成\r\n\r\ndata: 2\n\n');
    const expected = [
      { event: 'progress', data: '完成' },
      { event: 'message', data: '2' },
    ];
    expect((await read([whole])).events).to.deep.equal(expected);
    expect((await read([...whole].map((byte) => Uint8Array.of(byte)))).events).to.deep.equal(expected);
  });

  it('skips comments, unknown fields, empty events and an unfinished last one', async () => {
    expect(await eventsIn(': ping\n\nkind: x\n\nevent: progress\n\ndata: 1\n')).to.deep.equal([]);
  });

  it('reports any bytes that arrive, even without an event', async () => {
    expect((await read([bytes(': ping\n'), bytes(': ping\n\n')])).arrivals).to.equal(2);
  });

  it('rejects when the connection breaks', async () => {
    const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('reset')) });
    const error = await readEvents(
      broken,
      () => undefined,
      () => undefined,
    ).catch((reason: unknown) => reason);
    expect(error).to.have.property('message', 'reset');
  });
});
