import { expect } from 'chai';
import { createLogger } from './logger.ts';
import { sdkLogger } from './sdk.ts';

describe('what the SDK logs', () => {
  it('is JSON lines of ours, with their level, and errors as ours', () => {
    const lines: string[] = [];
    const logger = sdkLogger(createLogger('orders', 'info', { write: (line) => void lines.push(line) }));
    logger.log('INFO', 'Worker state changed', { state: 'RUNNING', taskQueue: 'orders' });
    logger.warn('Activity failed', { error: new Error('it failed'), attempt: 2 });
    logger.debug('Activation', {});
    const [first, second, ...others] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).to.include({
      level: 'info',
      service: 'orders',
      msg: 'Worker state changed',
      state: 'RUNNING',
      taskQueue: 'orders',
    });
    expect(second).to.deep.include({ level: 'warn', attempt: 2, msg: 'Activity failed' });
    expect(second?.['err']).to.include({ message: 'it failed' });
    expect(others).to.deep.equal([]);
  });
});
