import { expect } from 'chai';
import { delayOf, mostInADay } from './delay.ts';

describe('delays of automations', () => {
  it('are said in the largest unit that divides them', () => {
    const said = [0, 1, 60, 90, 1440, 2880, 1500].map(delayOf).map(({ amount, unit }) => `${amount} ${unit}`);
    expect(said).to.deep.equal(['0 minutes', '1 minutes', '1 hours', '90 minutes', '1 days', '2 days', '25 hours']);
  });

  it('tell how many messages a contact gets within a day', () => {
    const most = (...minutes: number[]) => mostInADay(minutes.map((one) => ({ minutes: one })));
    expect(most()).to.equal(1);
    expect(most(1440, 1440), 'a day apart').to.equal(1);
    expect(most(10, 10, 10, 10), 'one after the other').to.equal(5);
    expect(most(2880, 60, 60), 'the later ones').to.equal(3);
    expect(most(1380, 120), 'a day from the second on').to.equal(2);
    expect(most(Number.NaN), 'while one is typed').to.equal(1);
  });
});
