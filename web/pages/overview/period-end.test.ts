import { expect } from 'chai';
import { endOf } from './period-end.ts';

const period = { from: '2026-11-18T00:00:00.000Z', to: '2026-11-25T00:00:00.000Z' };

describe('end of a period', () => {
  it('is the running minute where the period reaches beyond it', () => {
    expect(endOf(period, new Date('2026-11-24T10:30:20.000Z'))).to.equal('2026-11-24T10:31:00.000Z');
    expect(endOf(period, new Date('2026-11-26T10:30:20.000Z'))).to.equal(period.to);
    expect(endOf(period, new Date('2026-11-01T10:30:20.000Z'))).to.equal(period.to);
  });
});
