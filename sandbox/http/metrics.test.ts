import { expect } from 'chai';
import { readMetrics } from '#test/support/http/metrics.ts';
import { startRunning } from '../testing/running.ts';
import type { Running } from '../testing/running.ts';

describe('sandbox: metrics', () => {
  let running: Running;
  afterEach(() => running.end());

  it('report response durations by pattern and status, even if no response was sent, and the process’s resources', async () => {
    running = await startRunning();
    await running.call('GET', '/sandbox/tasks/one');
    await running.call('GET', '/sandbox/tasks/two');
    await running.call('GET', '/identity/jwks');
    await running.call('PUT', '/sandbox/faults', { faults: [{ route: 'charges.get', mode: 'reset' }] });
    await running.call('GET', '/payment-gateway/v1/charges/c').catch(() => undefined);
    const metrics = await readMetrics(running.url);
    const responses = (route: string, status: string) =>
      metrics.get(`http_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`);
    expect(responses('/sandbox/tasks/:taskId', '404')).to.equal(2);
    expect(responses('/jwks', '200')).to.equal(1);
    expect(responses('/payment-gateway/v1/charges/:chargeId', 'none')).to.equal(1);
    expect(metrics.get('process_resident_memory_bytes')).to.be.above(0);
  });

  it('are served on METRICS_HOST only', async () => {
    running = await startRunning({ METRICS_HOST: '192.0.2.1' });
    expect((await running.call('GET', '/metrics')).status).to.equal(404);
    expect((await running.call('GET', '/readyz')).body).to.deep.equal({ status: 'ready', checks: {} });
  });
});
