import { expect } from 'chai';
import { keeping } from './kept-keys.ts';
import { ApiProblem, unreachable } from './problem.ts';

const lost = () => unreachable(new TypeError('reset'), true);
const problem = (code: 'conflict' | 'internal' | 'invalid_state', status: number) =>
  new ApiProblem({ code, status, detail: '', requestId: null });

describe('a request that changes something', () => {
  let serial = 0;

  /** What became of it for each of these answers, an error or a result, and the keys that it was sent with. */
  async function ask(answers: (Error | string)[], request = `request ${(serial += 1)}`) {
    const keys: string[] = [];
    const left = [...answers];
    const send = (key: string) => {
      keys.push(key);
      const answer = left.shift() ?? 'not asked so often';
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    const outcome = await keeping(request, send, [1, 1]).catch((error: unknown) => error);
    return { outcome, keys, request };
  }

  it('is asked for again with its key where no answer comes, and while it is under way', async () => {
    const { outcome, keys } = await ask([lost(), problem('conflict', 409), 'done']);
    expect(outcome).to.equal('done');
    expect(keys).to.have.length(3);
    expect(new Set(keys).size).to.equal(1);
  });

  it('keeps its key for whoever asks again until an answer comes, and has another one afterwards', async () => {
    const unanswered = lost();
    const first = await ask([lost(), lost(), unanswered]);
    expect((first.outcome as ApiProblem).isUnanswered).to.equal(true);
    const second = await ask([problem('conflict', 409), 'done'], first.request);
    expect([second.outcome, second.keys[0]]).to.deep.equal(['done', first.keys[0]]);
    const third = await ask(['done anew'], first.request);
    expect(third.keys[0]).to.not.equal(first.keys[0]);
  });

  it('is not asked for again where it was refused, or never left this machine', async () => {
    for (const error of [
      problem('invalid_state', 409),
      problem('conflict', 409),
      problem('internal', 500),
      unreachable(null, false),
    ]) {
      const { outcome, keys, request } = await ask([error, 'done']);
      expect([outcome, keys.length]).to.deep.equal([error, 1]);
      expect((await ask(['done'], request)).keys[0]).to.not.equal(keys[0]);
    }
  });
});
