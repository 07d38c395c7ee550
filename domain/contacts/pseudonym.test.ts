import { expect } from 'chai';
import { isPseudonym, newPseudonym } from './pseudonym.ts';

describe('what stands for an erased contact', () => {
  it('A14: is different every time, and no id of a platform', () => {
    const one = newPseudonym();
    expect(isPseudonym(one)).to.equal(true);
    expect(newPseudonym()).to.not.equal(one);
    for (const id of ['erased:', 'erased:c-1', `x${one}`, `${one}x`, 'c-1'])
      expect(isPseudonym(id), id).to.equal(false);
  });
});
