import { expect } from 'chai';
import { draftFields } from './draft.ts';
import { percentOf, splitOf } from './holdout.ts';

describe('the control group of a draft', () => {
  it('is 1 to 50 whole percents, or none', () => {
    for (const [typed, percent] of [
      [null, null],
      ['', null],
      ['0', null],
      ['1', 1],
      [' 50', 50],
      ['51', null],
      ['2.5', null],
      ['ten', null],
    ] as const)
      expect(percentOf(typed), String(typed)).to.equal(percent);
  });

  it('is about that share of those who can be reached', () => {
    expect(splitOf(1000, '10')).to.deep.equal({ sent: 900, held: 100 });
    expect(splitOf(25, '10')).to.deep.equal({ sent: 22, held: 3 });
    expect(splitOf(1000, null)).to.equal(null);
  });

  it('is written as it is stored, and what is no number stays as typed, for the schema to reject', () => {
    const { read, write } = draftFields.holdoutPercent;
    for (const holdoutPercent of [null, 1, 50])
      expect(write(read({ holdoutPercent } as never, 'UTC'))).to.equal(holdoutPercent);
    expect(write('ten' as never)).to.equal('ten');
  });
});
