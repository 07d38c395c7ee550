import { expect } from 'chai';
import { changeOf } from './change.ts';

describe('change against the period before', () => {
  it('is a share of what was before, and none of nothing', () => {
    expect(changeOf(125, 100)).to.deep.equal({ direction: 'up', share: 0.25 });
    expect(changeOf(0, 8)).to.deep.equal({ direction: 'down', share: -1 });
    expect(changeOf(8, 8)).to.deep.equal({ direction: 'level', share: 0 });
    expect(changeOf(8, 0)).to.deep.equal({ direction: 'up', share: null });
    expect(changeOf(0, 0)).to.deep.equal({ direction: 'level', share: null });
  });
});
