import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { eventually, startRunning } from '../testing/running.ts';
import type { Running } from '../testing/running.ts';
import { gatewayCalls } from '../testing/gateway-calls.ts';

describe('sandbox: payment gateway', () => {
  let running: Running;

  before(async () => {
    running = await startRunning();
  });
  after(() => running.end());
  beforeEach(() => {
    running.application.received.length = 0;
  });

  const { request, api, created } = gatewayCalls(() => running);

  it('creates one charge per key, however often it is requested, even after a restart', async () => {
    const first = await api('POST', '', request(), 'charge:1');
    await running.restart();
    const second = await api('POST', '', request({ amount: 1 }), 'charge:1');
    expect(first.status).to.equal(201);
    expect(first.body.status).to.equal('pending');
    expect([second.status, second.body]).to.deep.equal([first.status, first.body]);
    const { body } = await running.call('GET', '/sandbox/charges?orderNo=o-1');
    expect(body).to.include({ total: 1, createCalls: 2 });
    const rejected = await api('POST', '', request({ shopId: 'closed-shop' }), 'charge:2');
    expect([rejected.status, rejected.body.code]).to.deep.equal([422, 'shop_closed']);
    expect((await api('POST', '', request({ amount: 0 }), 'charge:3')).status).to.equal(422);
    expect((await api('POST', '', request())).status).to.equal(400);
    expect((await running.call('GET', '/payment-gateway/v1/charges/x')).status).to.equal(401);
  });

  it('is paid on its page, and sends signed callbacks until the response is 200', async () => {
    const chargeId = await created('charge:pay');
    const { response } = running.application;
    let failures = 2;
    running.application.response = (received) => ((failures -= 1) >= 0 ? { status: 500 } : response(received));
    const shown = await running.call('GET', `/payment-gateway/pay/${chargeId}`);
    expect(shown.body.text).to.include('TWD 120.5').and.to.include('Two books');
    const paid = await running.call('POST', `/payment-gateway/pay/${chargeId}`, 'do=pay');
    expect([paid.status, paid.headers.get('location')]).to.deep.equal([303, 'http://127.0.0.1:4000/done']);
    await eventually(() => running.application.received.length === 3);
    const [callback] = running.application.received;
    const [, seconds, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(callback?.headers['x-gateway-signature'])) ?? [];
    const expected = createHmac('sha256', running.settings.PAYMENT_GATEWAY_WEBHOOK_SECRET[0]);
    expect(signature).to.equal(expected.update(`${String(seconds)}.${String(callback?.raw)}`).digest('hex'));
    expect(callback?.body).to.include({
      type: 'charge.paid',
      chargeId,
      orderNo: 'o-1',
      amount: 120.5,
      currency: 'TWD',
    });
    expect(new Set(running.application.received.map(({ body }) => body.eventId)).size).to.equal(1);
    const { body } = await api('GET', `/${chargeId}`);
    expect(body).to.include({ chargeId, status: 'paid', amount: 120.5, currency: 'TWD', shopId: 'shop-1' });
    const cancel = await api('POST', `/${chargeId}/cancel`);
    expect([cancel.status, cancel.body.status]).to.deep.equal([409, 'paid']);
  });

  it('expires, is cancelled, and still accepts late money', async () => {
    const expired = await created('charge:late', { expiresAt: new Date(Date.now() - 1000).toISOString() });
    expect((await api('GET', `/${expired}`)).body.status).to.equal('expired');
    expect((await api('POST', `/${expired}/cancel`)).body.status).to.equal('cancelled');
    expect((await running.call('POST', `/payment-gateway/pay/${expired}`, 'do=pay')).status).to.equal(409);
    expect((await running.call('POST', `/payment-gateway/pay/${expired}`, 'do=late')).status).to.equal(303);
    await eventually(() => running.application.received.length === 1);
    expect((await api('GET', `/${expired}`)).body.status).to.equal('paid');
  });

  it('simulates a gateway that books another amount', async () => {
    const chargeId = await created('charge:differs');
    await running.call('POST', `/sandbox/charges/${chargeId}:pay`, { charge: { amount: 1 } });
    const callback = await eventually(() => running.application.received[0]);
    expect(callback.body.amount).to.equal(1);
    expect((await api('GET', `/${chargeId}`)).body.amount).to.equal(1);
  });
});
