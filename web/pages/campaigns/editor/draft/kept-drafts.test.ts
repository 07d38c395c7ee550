import { expect } from 'chai';
import { newAudience } from './audience.ts';
import { keepable } from './kept-drafts.ts';

describe('what is kept of a draft in the browser', () => {
  it('is everything but contacts that were pasted, which no erasure would reach', () => {
    const names = ['name', 'audience', 'messages'] as const;
    expect(keepable({ audience: newAudience() }, names)).to.deep.equal(names);
    const pasted = { ...newAudience(), type: 'contacts' as const, pasted: 'c-1\nc-2' };
    expect(keepable({ audience: pasted }, names)).to.deep.equal(['name', 'messages']);
  });
});
