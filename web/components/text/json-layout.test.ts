import { expect } from 'chai';
import fc from 'fast-check';
import { layOutJson } from './json-layout.ts';

describe('JSON laid out for reading', () => {
  it('has one member a line, and keeps every value to the letter', () => {
    expect(layOutJson('{"a":1e999,"b":[1.10, "x: {y}, \\"z\\""],"c":{},"d":[]}')).to.equal(
      '{\n  "a": 1e999,\n  "b": [\n    1.10,\n    "x: {y}, \\"z\\""\n  ],\n  "c": {},\n  "d": []\n}',
    );
  });

  it('lays out JSON that a string holds, and leaves a string that only looks like it', () => {
    const data = JSON.stringify({ event: 'Broadcast', count: 1 });
    expect(layOutJson(JSON.stringify({ action: { data } }))).to.equal(
      '{\n  "action": {\n    "data": "{\n      "event": "Broadcast",\n      "count": 1\n    }"\n  }\n}',
    );
    expect(layOutJson('{"a":"{\\"b"}')).to.equal('{\n  "a": "{\\"b"\n}');
  });

  it('is as JSON.stringify indents, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(layOutJson(JSON.stringify(value))).to.equal(JSON.stringify(value, null, 2));
      }),
    );
  });
});
