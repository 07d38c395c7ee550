import { expect } from 'chai';
import { faultSchema, createFaults } from './faults.ts';
import { broadcast, contactIds, eventually, installTenant, signedCall, startRunning } from './testing/running.ts';
import type { Installed, Running } from './testing/running.ts';

describe('sandbox: faults', () => {
  let running: Running;
  let installed: Installed;

  before(async () => {
    running = await startRunning();
    installed = await installTenant(running);
  });
  after(() => running.end());
  afterEach(() => running.call('PUT', '/sandbox/faults', { faults: [] }));

  const arm = async (...faults: unknown[]) => {
    expect((await running.call('PUT', '/sandbox/faults', { faults })).status).to.equal(200);
  };
  const send = () =>
    signedCall(running, installed, 'POST', '/openapi/v1/service-numbers/sn1/broadcasts', broadcast(contactIds(1, 2)));
  const tasks = async () => Number((await running.call('GET', '/sandbox/tasks')).body.total);
  const failed = (promise: Promise<unknown>) =>
    promise.then(
      () => false,
      () => true,
    );

  it('destroys the connection before the effect (reset) or after it (lost-answer)', async () => {
    const before = await tasks();
    await arm({ route: 'A1', mode: 'reset', count: 1 });
    expect(await failed(send())).to.equal(true);
    expect(await tasks()).to.equal(before);
    await arm({ route: 'A1', mode: 'lost-answer', count: 1 });
    expect(await failed(send())).to.equal(true);
    expect(await tasks()).to.equal(before + 1);
    expect((await send()).status).to.equal(201);
    const { items } = (await running.call('GET', '/sandbox/calls?route=A1&limit=3')).body;
    expect(items.map(({ fault, status }) => [fault, status])).to.deep.equal([
      ['reset', null],
      ['lost-answer', null],
      [undefined, 201],
    ]);
  });

  it('responds with a status, with or without a code, before or after the effect', async () => {
    const before = await tasks();
    await arm(
      { route: 'A1', mode: 'status', status: 429, code: 'rate_limited', retryAfter: 2, count: 1 },
      { route: 'A1', mode: 'status', status: 500, afterEffect: true, count: 1 },
    );
    const limited = await send();
    expect([limited.status, limited.body.code, limited.headers.get('retry-after')]).to.deep.equal([
      429,
      'rate_limited',
      '2',
    ]);
    expect(await tasks()).to.equal(before);
    const broken = await send();
    expect([broken.status, broken.body.code]).to.deep.equal([500, undefined]);
    expect(await tasks()).to.equal(before + 1);
  });

  it('keeps bodies to be read on demand', async () => {
    await send();
    const { items } = (await running.call('GET', '/sandbox/calls?route=A1&limit=1&bodies=1')).body;
    expect(items[0]?.body).to.deep.include({ audience: { type: 'contacts', contactIds: contactIds(1, 2) } });
    const [bare] = (await running.call('GET', '/sandbox/calls?route=A1&limit=1')).body.items;
    expect(bare).to.not.have.property('body');
    expect(bare).to.include({ signature: 'ok', status: 201, tenantIntegrationId: installed.tenantIntegrationId });
  });

  it('delivers webhooks twice, and out of order', async () => {
    const { received } = running.application;
    received.length = 0;
    const emit = (eventId: string) =>
      running.call('POST', '/sandbox/webhooks', { tenant: 't1', eventType: 'label.changed', data: {}, eventId });
    await arm({ route: 'webhook', mode: 'duplicate', count: 1 });
    await emit('e1');
    await eventually(() => received.length === 2);
    await arm({ route: 'webhook', mode: 'reorder', count: 1, delayMs: 2500 });
    await emit('e2');
    await emit('e3');
    await eventually(() => received.length === 4);
    expect(received.map(({ body }) => body.eventId)).to.deep.equal(['e1', 'e1', 'e3', 'e2']);
  });

  it('hits the same calls for the same seed', () => {
    const run = (seed: number) => {
      const faults = createFaults();
      faults.replace([faultSchema.parse({ route: 'A1', mode: 'reset', rate: 0.3, seed })]);
      return Array.from({ length: 200 }, () => faults.take({ route: 'A1' }).fault !== null);
    };
    expect(run(7)).to.deep.equal(run(7));
    expect(run(7)).to.not.deep.equal(run(8));
    expect(run(7).filter(Boolean).length).to.be.within(35, 85);
  });

  it('lets skipped calls pass first, and hits only the given integration', () => {
    const faults = createFaults();
    faults.replace([faultSchema.parse({ route: '*', mode: 'reset', skip: 2, count: 1, tenantIntegrationId: 'ti-1' })]);
    const struck = (tenantIntegrationId: string) => faults.take({ route: 'A2', tenantIntegrationId }).fault !== null;
    expect(['ti-2', 'ti-1', 'ti-1', 'ti-2', 'ti-1', 'ti-1'].map(struck)).to.deep.equal([
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  it('rejects an unknown fault', async () => {
    const { status, body } = await running.call('PUT', '/sandbox/faults', {
      faults: [{ route: 'A1', mode: 'explode' }],
    });
    expect([status, body.code]).to.deep.equal([400, 'invalid_request']);
  });
});
