import { expect } from 'chai';
import { isolate, isolateValues } from './isolate.ts';

describe('names in sentences', () => {
  it('are isolated where they would turn what stands beside them', () => {
    expect(isolate('Ann')).to.equal('Ann');
    expect(isolate('許淑芬')).to.equal('許淑芬');
    expect(isolate('אבג 1')).to.equal('\u2068אבג 1\u2069');
    expect(isolate('Ann\u202Egpj')).to.equal('\u2068Anngpj\u2069');
    expect(isolate('\u2069\u202Eout')).to.equal('\u2068out\u2069');
  });

  it('are found among the values of a message, and nothing else is changed', () => {
    const at = new Date(0);
    expect(isolateValues({ name: 'אב', count: 3, at })).to.deep.equal({ name: '\u2068אב\u2069', count: 3, at });
    expect(isolateValues(['אב', 2])).to.deep.equal(['\u2068אב\u2069', 2]);
    expect([isolateValues('Ann'), isolateValues(2), isolateValues(undefined)]).to.deep.equal(['Ann', 2, undefined]);
  });
});
