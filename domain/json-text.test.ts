import { expect } from 'chai';
import fc from 'fast-check';
import { memberText, parseExact } from './json-text.ts';

describe('parseExact', () => {
  it('keeps as text the digits of whole numbers that a number would round', () => {
    expect(
      parseExact('{"id":7251234567890123457,"ids":[-90071992547409931,9007199254740991],"of":{"n":1.5,"e":1e21}}'),
    ).to.deep.equal({
      id: '7251234567890123457',
      ids: ['-90071992547409931', 9007199254740991],
      of: { n: 1.5, e: 1e21 },
    });
  });

  it('leaves strings, fractions and exponents unchanged', () => {
    const json = String.raw`{"a":"x\":7251234567890123457,","72512345678901234570":0.12345678901234567,"b":12345678901234567e-3,"c":1e-1234567890123456}`;
    expect(parseExact(json)).to.deep.equal(JSON.parse(json));
  });

  it('returns what JSON.parse returns for any value made of doubles', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(JSON.stringify(parseExact(json)).replaceAll('"', '')).to.equal(json.replaceAll('"', ''));
      }),
    );
  });

  it('rejects what is not JSON', () => {
    for (const json of ['', '"', '{"a":1234567890123456', '01234567890123456'])
      expect(() => parseExact(json)).to.throw(SyntaxError);
  });
});

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

  it('uses the last of duplicate members, names with escapes, and plain values', () => {
    expect(memberText(String.raw`{"data":1,"d\u0061ta":true}`, 'data')).to.equal('true');
    expect(memberText('{ "data" : null\n}', 'data')).to.equal('null');
    expect(memberText('{}', 'data')).to.equal(undefined);
  });

  it('returns for any object what parsing returns', () => {
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
