import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { freePort } from '../../scripts/start/ports.ts';
import { type ChargeRequest, createGatewayExchange, createPaymentGateway, GatewayUnclear } from './client.ts';

const request: ChargeRequest = {
  shopId: 's',
  orderNo: 'o',
  amount: 12.5,
  currency: 'TWD',
  description: 'd',
  callbackURL: 'http://127.0.0.1/callback',
  expiresAt: '2026-11-24T09:00:00Z',
};

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

describe('payment gateway client: what is certain about a call', () => {
  let serve: Serve = () => undefined;
  const server = createServer((incoming, outgoing) => serve(incoming, outgoing));
  let baseUrl = '';
  let nowhere = '';
  before(async () => {
    nowhere = `http://127.0.0.1:${await freePort()}`;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await Promise.all([patient.destroy(), impatient.destroy()]);
    server.closeAllConnections();
    server.close();
  });

  const patient = createGatewayExchange({ timeoutMs: 60_000 });
  const impatient = createGatewayExchange({ timeoutMs: 200 });
  const gateway = (url = baseUrl, exchange = patient) =>
    createPaymentGateway({ baseUrl: url, key: 'the key', exchange });
  const responding = (status: number, body: unknown, headers: Record<string, string> = {}): Serve => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return (_, outgoing) => outgoing.writeHead(status, headers).end(text);
  };
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => error as GatewayUnclear,
    );

  it('sends key, idempotency key and body', async () => {
    let seen: IncomingMessage['headers'] = {};
    serve = (incoming, outgoing) => {
      seen = incoming.headers;
      responding(201, { chargeId: 'c', status: 'pending', paymentUrl: 'http://p' })(incoming, outgoing);
    };
    const outcome = await gateway().createCharge('charge:o:1', request);
    expect(outcome).to.deep.equal({ kind: 'created', chargeId: 'c', paymentUrl: 'http://p' });
    expect(seen).to.include({ authorization: 'Bearer the key', 'idempotency-key': 'charge:o:1' });
  });

  it('422 and 400: rejected for good; 401, 403, 404 and no listener: never reached', async () => {
    for (const status of [400, 422]) {
      serve = responding(status, { code: 'shop_closed' });
      expect(await gateway().createCharge('k', request)).to.deep.equal({ kind: 'rejected', code: 'shop_closed' });
    }
    for (const status of [401, 403, 404]) {
      serve = responding(status, {});
      expect(await gateway().createCharge('k', request)).to.include({ kind: 'not_reached' });
    }
    expect(await gateway(nowhere).createCharge('k', request)).to.deep.equal({
      kind: 'not_reached',
      reason: 'ECONNREFUSED',
    });
  });

  it('5xx, 429, a reset, silence and a response that is not a charge: unclear, to be retried', async () => {
    const unclear: Serve[] = [
      responding(500, {}),
      responding(503, 'not json'),
      responding(429, {}, { 'retry-after': '7' }),
      responding(201, { chargeId: 'c' }),
      responding(302, {}, { location: 'http://else.test' }),
      (incoming) => incoming.socket.destroy(),
    ];
    for (const one of unclear) {
      serve = one;
      expect(await failure(gateway().createCharge('k', request))).to.be.instanceOf(GatewayUnclear);
    }
    serve = () => undefined;
    expect(await failure(gateway(baseUrl, impatient).createCharge('k', request))).to.be.instanceOf(GatewayUnclear);
  });

  it('waits as long as it is asked to, in seconds or until a date, but delays no payment by more than a minute', async () => {
    const waitAfter = async (header: string) => {
      serve = responding(429, {}, { 'retry-after': header });
      return (await failure(gateway().createCharge('k', request)))?.retryAfterMs;
    };
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
    expect(await waitAfter('7')).to.equal(7000);
    expect(await waitAfter(inSeconds(59))).to.be.within(1, 59_000);
    for (const far of ['86400', '1e300', inSeconds(86_400)]) expect(await waitAfter(far), far).to.equal(60_000);
    for (const none of ['', '0', '-5', 'soon', inSeconds(-60)]) expect(await waitAfter(none), none).to.equal(null);
  });

  it('cancel: 200 and an ended charge are cancelled, 409 paid is paid, anything else is unclear', async () => {
    serve = responding(200, { status: 'cancelled' });
    expect(await gateway().cancelCharge('c')).to.equal('cancelled');
    serve = responding(409, { status: 'expired' });
    expect(await gateway().cancelCharge('c')).to.equal('cancelled');
    serve = responding(409, { status: 'paid' });
    expect(await gateway().cancelCharge('c')).to.equal('paid');
    for (const one of [responding(409, {}), responding(404, {}), responding(500, {})]) {
      serve = one;
      expect(await failure(gateway().cancelCharge('c'))).to.be.instanceOf(GatewayUnclear);
    }
    expect(await failure(gateway(nowhere).cancelCharge('c'))).to.be.instanceOf(GatewayUnclear);
  });

  it('refund: only a confirmation counts', async () => {
    serve = responding(200, {});
    await gateway().refundCharge('refund:c', 'c');
    serve = responding(409, { status: 'refunded' });
    await gateway().refundCharge('refund:c', 'c');
    serve = responding(202, {});
    expect(await failure(gateway().refundCharge('refund:c', 'c'))).to.be.instanceOf(GatewayUnclear);
  });
});
