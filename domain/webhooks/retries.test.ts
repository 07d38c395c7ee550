import { expect } from 'chai';
import * as fc from 'fast-check';
import { GIVE_UP_AFTER_MS, retryDelayMs } from './retries.ts';

/** The times of all attempts of an event that is never accepted, in milliseconds from the first. */
function attempts(randoms: () => number): number[] {
  const times = [0];
  for (;;) {
    const at = times.at(-1) ?? 0;
    const delay = retryDelayMs(at, randoms());
    if (delay === null) return times;
    times.push(at + delay);
  }
}

describe('Retries of deliveries', () => {
  it('B14: an event is repeated with back-off for 3 days', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (stream) => {
        const times = attempts(() => stream.next().value as number);
        expect(times.at(-1)).to.equal(GIVE_UP_AFTER_MS);
        expect(times[1]).to.be.within(750, 1250);
        const delays = times.slice(1).map((at, index) => at - (times[index] ?? 0));
        // The last one is cut short by the end.
        for (const delay of delays.slice(0, -1)) expect(delay).to.be.within(750, 4_500_000);
        // About 72 hourly ones and a dozen before.
        expect(times.length).to.be.within(60, 125);
      }),
    );
  });

  it('B14: delays differ by chance', () => {
    expect(retryDelayMs(60_000, 0)).to.equal(45_000);
    expect(retryDelayMs(60_000, 1)).to.equal(75_000);
  });
});
