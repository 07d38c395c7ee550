import { expect } from 'chai';
import { changeOf, endOf } from './comparison.ts';

describe('change against the period before', () => {
  it('is a share of what was before, and none of nothing', () => {
    expect(changeOf(125, 100)).to.deep.equal({ direction: 'up', share: 0.25 });
    expect(changeOf(0, 8)).to.deep.equal({ direction: 'down', share: -1 });
    expect(changeOf(8, 8)).to.deep.equal({ direction: 'level', share: 0 });
    expect(changeOf(8, 0)).to.deep.equal({ direction: 'up', share: null });
    expect(changeOf(0, 0)).to.deep.equal({ direction: 'level', share: null });
  });
});

const period = { from: '2026-11-18T00:00:00.000Z', to: '2026-11-25T00:00:00.000Z' };

describe('end of a period', () => {
  it('is the current minute if the period reaches beyond it', () => {
    expect(endOf(period, new Date('2026-11-24T10:30:20.000Z'))).to.equal('2026-11-24T10:31:00.000Z');
    expect(endOf(period, new Date('2026-11-26T10:30:20.000Z'))).to.equal(period.to);
    expect(endOf(period, new Date('2026-11-01T10:30:20.000Z'))).to.equal(period.to);
  });
});
