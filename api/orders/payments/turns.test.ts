import { expect } from 'chai';
import { createTurns } from './turns.ts';

/** Work that ends when the test says so. */
function piece() {
  const state = { begun: false, end: () => {} };
  const work = () => {
    state.begun = true;
    return new Promise<string>((resolve) => {
      state.end = () => resolve('done');
    });
  };
  return { state, work };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const always = () => true;
const LONG_MS = 600_000;

describe('Turns of tenants', () => {
  it('begins at most so many of one tenant, in their order, and another tenant’s at once', async () => {
    const inTurn = createTurns({ atOnce: 2, longestMs: LONG_MS });
    const busy = Array.from({ length: 200 }, piece);
    const results = busy.map(({ work }) => inTurn('busy', always, work));
    const quiet = piece();
    const other = inTurn('quiet', always, quiet.work);
    await settled();
    expect(quiet.state.begun).to.equal(true);
    quiet.state.end();
    expect(await other).to.equal('done');
    for (let done = 0; done < busy.length; done += 1) {
      expect(busy.filter(({ state }) => state.begun)).to.have.length(Math.min(busy.length, done + 2));
      expect(busy.slice(0, done + 1).every(({ state }) => state.begun)).to.equal(true);
      busy[done]?.state.end();
      await settled();
    }
    expect(new Set(await Promise.all(results))).to.deep.equal(new Set(['done']));
  });

  it('does not begin what nobody waits for any more, and goes on after a failure', async () => {
    const inTurn = createTurns({ atOnce: 1, longestMs: LONG_MS });
    const first = piece();
    const failing = inTurn('shop', always, async () => {
      await first.work();
      throw new Error('it failed');
    });
    const unwanted = piece();
    const dropped = inTurn('shop', () => false, unwanted.work);
    const last = inTurn('shop', always, () => Promise.resolve('last'));
    await settled();
    first.state.end();
    expect(await failing.catch((error: Error) => error.message)).to.equal('it failed');
    expect(await dropped).to.equal(undefined);
    expect(unwanted.state.begun).to.equal(false);
    expect(await last).to.equal('last');
  });

  it('passes the turn on when work waits for somebody else', async () => {
    const inTurn = createTurns({ atOnce: 1, longestMs: 1 });
    const slow = piece();
    const waiting = inTurn('shop', always, slow.work);
    expect(await inTurn('shop', always, () => Promise.resolve('meanwhile'))).to.equal('meanwhile');
    slow.state.end();
    expect(await waiting).to.equal('done');
  });
});
