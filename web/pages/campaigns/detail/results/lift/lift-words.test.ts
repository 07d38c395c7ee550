import { expect } from 'chai';
import { liftOf } from '#domain/campaigns/lift/lift.ts';
import { pointsText, verdictOf } from './lift-words.ts';

const format = { number: String, tag: 'en-GB' };
const comparison = (sent: number, control: number) => {
  const arms = { sent: { contacts: 9000, converted: sent }, control: { contacts: 1000, converted: control } };
  return { measure: { type: 'conversation' as const }, ...arms, ...liftOf(arms.sent, arms.control) };
};

describe('the words of a lift', () => {
  it('have percentage points with a sign', () => {
    expect([0.0125, -0.1, 0].map((share) => pointsText(share, 'en-GB'))).to.deep.equal(['+1.25', '-10', '0']);
  });

  it('say the difference with both ends of its interval, and how much it is of the control group’s', () => {
    expect(verdictOf(comparison(1350, 110), format)).to.deep.equal({
      key: 'higher',
      words: { value: '4', low: '+1.79', high: '+5.94', change: '+36%' },
    });
  });

  it('say how few there are as long as nothing can be said', () => {
    expect(verdictOf(comparison(1350, 99), format)).to.deep.equal({
      key: 'too_few',
      words: { sent: '1350', control: '99' },
    });
  });
});
