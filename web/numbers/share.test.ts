import { expect } from 'chai';
import { changeText, shareText } from './share.ts';

describe('shares', () => {
  const of = (part: number, whole: number) => shareText(part, whole, 'en-GB');

  it('have one decimal, and are 0% or 100% only if they are nothing or all', () => {
    expect([of(174, 1000), of(18, 100), of(1, 3)]).to.deep.equal(['17.4%', '18.0%', '33.3%']);
    expect([of(0, 2500), of(1, 2500), of(2499, 2500), of(2500, 2500)]).to.deep.equal(['0%', '<0.1%', '>99.9%', '100%']);
    expect([of(1, 1000), of(999, 1000), of(3, 2), of(1, 0)]).to.deep.equal(['0.1%', '99.9%', '150.0%', '–']);
  });

  it('say that there was a change, however small', () => {
    const changes = [0, 0.12, 0.004, -0.004, -1].map((share) => changeText(share, 'en-GB'));
    expect(changes).to.deep.equal(['0%', '+12%', '<+1%', '>-1%', '-100%']);
  });
});
