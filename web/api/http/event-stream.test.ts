import { expect } from 'chai';
import { createEventParser, type ServerEvent } from './event-stream.ts';

function parsed(chunks: string[]): ServerEvent[] {
  const events: ServerEvent[] = [];
  const parse = createEventParser((event) => events.push(event));
  for (const chunk of chunks) parse(chunk);
  return events;
}

describe('event stream', () => {
  it('reads named events and joins data lines', () => {
    expect(parsed(['event: progress\ndata: {"a":1,\ndata: "b":2}\n\n'])).to.deep.equal([
      { event: 'progress', data: '{"a":1,\n"b":2}' },
    ]);
  });

  it('does not care where chunks end', () => {
    const text = ': hello\nevent: progress\r\ndata: 1\r\n\r\ndata: 2\n\n';
    const expected = [
      { event: 'progress', data: '1' },
      { event: 'message', data: '2' },
    ];
    expect(parsed([text])).to.deep.equal(expected);
    expect(parsed([...text])).to.deep.equal(expected);
  });

  it('skips comments, empty events and an unfinished last one', () => {
    expect(parsed([': ping\n\nevent: progress\n\ndata: 1\n'])).to.deep.equal([]);
  });
});
