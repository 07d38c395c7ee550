import { expect } from 'chai';
import { createGate } from './gate.ts';

/** A gate whose bucket always has the tokens, and how many were taken at a time. */
function openGate({ perSecond = 1000, firstInMs = 0 as number | null } = {}) {
  const taken: number[] = [];
  let clock = 1_000_000;
  const gate = createGate({
    take: (count) => {
      taken.push(count);
      return Promise.resolve(firstInMs);
    },
    perSecond,
    now: () => new Date(clock),
  });
  const later = (ms: number) => new Date(clock + ms);
  return { gate, taken, later, pass: (ms: number) => (clock += ms) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the gate of an integration', () => {
  it('A10: admits two calls at first, and one more with each that ends', async () => {
    const { gate } = openGate({ perSecond: 100_000 });
    const admitted: number[] = [];
    const turns = Array.from({ length: 9 }, async (_, index) => {
      const turn = await gate.turn();
      admitted.push(index);
      return turn;
    });
    const [first, second, third, fourth] = turns;
    await Promise.all([first, second]);
    await settled();
    expect(admitted).to.deep.equal([0, 1]);
    (await first)?.end();
    await Promise.all([third, fourth]);
    await settled();
    expect(admitted).to.deep.equal([0, 1, 2, 3]);
  });

  it('A10: a pause ends every wait, and begins with two calls again', async () => {
    const { gate, later, pass } = openGate();
    const [one, two] = await Promise.all([gate.turn(), gate.turn()]);
    const waiting = Promise.all([gate.turn(), gate.turn()]);
    gate.pause(later(5000));
    gate.pause(later(1000));
    expect(await waiting).to.deep.equal([null, null]);
    one?.end();
    two?.end();
    expect(await gate.turn()).to.equal(null);
    expect(gate.pausedUntil()).to.deep.equal(later(5000));
    pass(5001);
    expect(gate.pausedUntil()).to.equal(null);
    expect(await Promise.all([gate.turn(), gate.turn()])).to.not.include(null);
    let third = false;
    void gate.turn().then(() => (third = true));
    await settled();
    expect(third).to.equal(false);
  });

  it('A10: takes tokens for all who may call, not one by one', async () => {
    // An empty bucket, as during a large send: each token comes a millisecond after the one before.
    let nextAt = performance.now();
    const taken: number[] = [];
    const take = (count: number) => {
      const first = Math.max(nextAt, performance.now());
      nextAt = first + count;
      taken.push(count);
      return Promise.resolve(first - performance.now());
    };
    const gate = createGate({ take, perSecond: 1000, now: () => new Date() });
    let calls = 0;
    const lane = async () => {
      for (let count = 0; count < 10; count += 1) {
        const turn = await gate.turn();
        calls += 1;
        turn?.end();
      }
    };
    await Promise.all(Array.from({ length: 40 }, lane));
    expect(calls).to.equal(400);
    expect(taken.reduce((sum, count) => sum + count, 0)).to.equal(400);
    expect(taken.length).to.be.at.most(100);
  });

  it('A10: gives the turn of a call that was not made to the next', async () => {
    const { gate, taken } = openGate({ perSecond: 1 });
    const turn = await gate.turn();
    turn?.giveBack();
    expect(await gate.turn()).to.not.equal(null);
    expect(taken).to.deep.equal([1]);
  });

  it('A10: lets somebody who waits for the response go first, however many calls are under way', async () => {
    const { gate } = openGate({ perSecond: 100_000 });
    await Promise.all([gate.turn(), gate.turn()]);
    void gate.turn();
    expect(await gate.turn({ ahead: true })).to.not.equal(null);
  });

  it('ends a wait whose signal aborts, and all waits if the integration may not be called or nobody can say', async () => {
    const { gate } = openGate();
    await Promise.all([gate.turn(), gate.turn()]);
    const leaving = new AbortController();
    const left = gate.turn({ signal: leaving.signal });
    leaving.abort();
    expect(await left).to.equal(null);
    expect(await openGate({ firstInMs: null }).gate.turn()).to.equal(null);
    const away = createGate({ take: () => Promise.reject(new Error('away')), perSecond: 1, now: () => new Date() });
    expect(await away.turn().catch(String)).to.equal('Error: away');
  });
});
