import { hostname } from 'node:os';
import { expect } from 'chai';
import { createServiceHealth } from './readiness.ts';
import { isPolling, type Temporal } from './temporal.ts';

describe('the readiness of a process', () => {
  const there = () => Promise.resolve();
  const checks = { database: there, temporal: there, pollers: there, adoption: there, identity: there };
  const asked = (parts: { api: boolean; worker: boolean }) => {
    const health = createServiceHealth(parts, checks);
    return [Object.keys(health.checks), Object.keys(health.notices ?? {})];
  };

  it('of an API depends on its database alone, and names what else is missing', () => {
    expect(asked({ api: true, worker: false })).to.deep.equal([['database'], ['temporal', 'identity']]);
    expect(asked({ api: true, worker: true })).to.deep.equal([
      ['database'],
      ['temporal', 'pollers', 'adoption', 'identity'],
    ]);
  });

  it('of a worker depends on all that its work needs', () => {
    expect(asked({ api: false, worker: true })).to.deep.equal([['database', 'temporal', 'pollers', 'adoption'], []]);
  });

  /** A server that knows this poller. */
  async function found(poller: { pid?: number; secondsAfterStart: number }): Promise<string> {
    const self = `${process.pid}@${hostname()}`;
    const identity = poller.pid === undefined ? self : self.replace(/^\d+/, String(poller.pid));
    const seconds = performance.timeOrigin / 1000 + poller.secondsAfterStart;
    const describeTaskQueue = () => Promise.resolve({ pollers: [{ identity, lastAccessTime: { seconds } }] });
    const temporal = { connection: { workflowService: { describeTaskQueue } }, namespace: 'n' } as unknown as Temporal;
    return isPolling(temporal, 'orders').then(
      () => 'polls',
      (error: Error) => error.message,
    );
  }

  it('counts the polls of this process, not those of another or of a container before it', async () => {
    expect(await found({ secondsAfterStart: 1 })).to.equal('polls');
    const none = 'this process does not poll the task queue orders';
    expect(await found({ pid: process.pid + 1, secondsAfterStart: 1 })).to.equal(none);
    expect(await found({ secondsAfterStart: -10 })).to.equal(none);
  });
});
