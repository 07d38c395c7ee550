import { expect } from 'chai';
import fc from 'fast-check';
import { memberText } from './json-text.ts';

describe('memberText', () => {
  it('keeps digits that parsing would lose', () => {
    expect(memberText('{"a": 1, "data" : {"n": 12345678901234567890, "x": 1.0} , "b": []}', 'data')).to.equal(
      '{"n": 12345678901234567890, "x": 1.0}',
    );
  });

  it('is not misled by brackets and quotes within strings', () => {
    expect(memberText(String.raw`{"s":"}\\\"{","data":["]\"",{"k":"["}]}`, 'data')).to.equal(
      String.raw`["]\"",{"k":"["}]`,
    );
  });

  it('takes the last of repeated members, names written with escapes, and plain values', () => {
    expect(memberText(String.raw`{"data":1,"d\u0061ta":true}`, 'data')).to.equal('true');
    expect(memberText('{ "data" : null\n}', 'data')).to.equal('null');
    expect(memberText('{}', 'data')).to.equal(undefined);
  });

  it('gives for any object what parsing gives', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (object, spaced) => {
        const json = JSON.stringify(object, null, spaced ? 2 : undefined);
        for (const [name, value] of Object.entries(JSON.parse(json) as Record<string, unknown>)) {
          expect(JSON.parse(memberText(json, name) ?? 'missing')).to.deep.equal(value);
        }
      }),
    );
  });
});
