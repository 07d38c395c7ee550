import { expect } from 'chai';
import { gatewayCalls } from '../testing/gateway-calls.ts';
import { eventually, startRunning } from '../testing/running.ts';
import type { Running } from '../testing/running.ts';

describe('sandbox: faults of the payment gateway', () => {
  let running: Running;
  before(async () => {
    running = await startRunning();
  });
  after(() => running.end());
  beforeEach(() => {
    running.application.received.length = 0;
  });
  afterEach(() => running.call('PUT', '/sandbox/faults', { faults: [] }));

  const { api, created, pay } = gatewayCalls(() => running);
  const arm = async (...faults: unknown[]) =>
    expect((await running.call('PUT', '/sandbox/faults', { faults })).status).to.equal(200);
  const callbacksOf = async (chargeId: string) =>
    (await running.call('GET', `/sandbox/callbacks?chargeId=${chargeId}`)).body.items;

  it('B3: a lost callback never arrives and is not repeated, not even after a restart', async () => {
    await arm({ route: 'callback', mode: 'lost', bodyIncludes: 'o-lost' });
    const lost = await created('charge:lost', { orderNo: 'o-lost' });
    await pay(lost, {});
    await eventually(async () => (await callbacksOf(lost))[0]?.['status'] === 'lost');
    await running.restart();
    expect((await callbacksOf(lost))[0]).to.include({ status: 'lost', attempts: 0 });
    const told = await created('charge:told', { orderNo: 'o-told' });
    await pay(told, {});
    await eventually(async () => (await callbacksOf(told))[0]?.['status'] === 'confirmed');
    expect(running.application.received.map(({ body }) => body['orderNo'])).to.deep.equal(['o-told']);
    expect((await api('GET', `/${lost}`)).body.status).to.equal('paid');
    await running.call('POST', `/sandbox/charges/${lost}:callback`, {});
    await eventually(() => running.application.received.length === 2);
  });

  it('B3: a share of the callbacks is lost, the same one for the same seed', async () => {
    const losses = async (run: string) => {
      await arm({ route: 'callback', mode: 'lost', rate: 0.3, seed: 7 });
      const statuses: unknown[] = [];
      for (let index = 0; index < 40; index += 1) {
        const chargeId = await created(`charge:${run}:${index}`, { orderNo: `${run}-${index}` });
        await pay(chargeId, {});
        statuses.push(
          await eventually(async () => {
            const [callback] = await callbacksOf(chargeId);
            return callback?.['status'] !== 'pending' && callback?.['status'];
          }),
        );
      }
      return statuses;
    };
    const first = await losses('first');
    expect(first.filter((status) => status === 'lost').length).to.be.within(4, 20);
    expect(await losses('second')).to.deep.equal(first);
  });

  it('every call of the gateway fails at a rate by seed, and a retry with its key finds what the failed one left', async () => {
    const ask = (call: Promise<{ status: number }>) =>
      call.then(
        ({ status }) => status,
        () => 'none',
      );
    const run = async (name: string) => {
      const rate = 0.1;
      await arm(
        { route: 'charges.*', mode: 'status', status: 503, rate, seed: 1 },
        { route: 'charges.*', mode: 'lost-answer', rate, seed: 2 },
      );
      const results: unknown[] = [];
      for (let index = 0; index < 30; index += 1) {
        const key = `charge:${name}:${index}`;
        const asked = { orderNo: `${name}-${index}` };
        const until = async (call: () => Promise<{ status: number }>) => {
          for (;;) {
            const result = await ask(call());
            results.push(result);
            if (result !== 503 && result !== 'none') return;
          }
        };
        await until(() => api('POST', '', gatewayCalls(() => running).request(asked), key));
        const { items } = (await running.call('GET', `/sandbox/charges?orderNo=${name}-${index}`)).body;
        expect(items).to.have.length(1);
        const chargeId = String(items[0]?.['chargeId']);
        await until(() => api('GET', `/${chargeId}`));
        await until(() => api('GET', `?shopId=shop-1&from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`));
        await pay(chargeId);
        await until(() => api('POST', `/${chargeId}/cancel`));
        await until(() => api('POST', `/${chargeId}/refund`, {}, `refund:${name}:${index}`));
      }
      return results;
    };
    const first = await run('one');
    expect(first.filter((result) => result === 503).length).to.be.within(5, 40);
    expect(first.filter((result) => result === 'none').length).to.be.within(5, 40);
    expect(first.filter((result) => result === 409).length).to.equal(30);
    expect(await run('two')).to.deep.equal(first);
  });
});
