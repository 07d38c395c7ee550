import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { freePort } from '#scripts/start/ports.ts';
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

  it('422: rejected for good; 400: made no charge; 401, 403, 404 and no listener: never reached', async () => {
    for (const [status, kind] of [
      [422, 'rejected'],
      [400, 'invalid'],
    ] as const) {
      serve = responding(status, { code: 'shop_closed' });
      expect(await gateway().createCharge('k', request)).to.deep.equal({ kind, code: 'shop_closed' });
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

  it('reads no more of a response than its limit: a longer one is unclear', async () => {
    const charge = { chargeId: 'c', status: 'pending', paymentUrl: 'http://p' };
    serve = responding(201, { ...charge, padding: '.'.repeat(900_000) });
    expect(await gateway().createCharge('k', request)).to.include({ kind: 'created' });
    serve = responding(201, { ...charge, padding: '.'.repeat(1_100_000) });
    expect(await failure(gateway().createCharge('k', request))).to.be.instanceOf(GatewayUnclear);
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

  it('cancel: 200 and an ended charge are cancelled, 409 paid or refunded is paid, anything else is unclear', async () => {
    serve = responding(200, { status: 'cancelled' });
    expect(await gateway().cancelCharge('c')).to.equal('cancelled');
    serve = responding(409, { status: 'expired' });
    expect(await gateway().cancelCharge('c')).to.equal('cancelled');
    for (const status of ['paid', 'refunded']) {
      serve = responding(409, { status });
      expect(await gateway().cancelCharge('c')).to.equal('paid');
    }
    for (const one of [responding(409, {}), responding(404, {}), responding(500, {})]) {
      serve = one;
      expect(await failure(gateway().cancelCharge('c'))).to.be.instanceOf(GatewayUnclear);
    }
    expect(await failure(gateway(nowhere).cancelCharge('c'))).to.be.instanceOf(GatewayUnclear);
  });

  it('B7: a refund says what is certain: confirmed, nothing left, not paid, or rejected; anything else is unclear', async () => {
    const refund = (one: Serve, amount: number | null = null) => {
      serve = one;
      return gateway().refundCharge('refund:c', 'c', amount);
    };
    expect(await refund(responding(200, {}))).to.deep.equal({ kind: 'confirmed', refundId: null });
    expect(await refund(responding(200, { refundId: 're' }))).to.deep.equal({ kind: 'confirmed', refundId: 're' });
    for (const body of [{ status: 'refunded' }, { code: 'already_refunded' }])
      expect(await refund(responding(409, body))).to.deep.equal({ kind: 'already_refunded' });
    const notPaid = responding(409, { code: 'not_paid', status: 'pending' });
    expect(await refund(notPaid)).to.deep.equal({ kind: 'not_paid', status: 'pending' });
    expect(await refund(responding(409, { code: 'not_paid' }))).to.deep.equal({ kind: 'not_paid', status: null });
    const tooLarge = { kind: 'rejected', code: 'amount_too_large' };
    expect(await refund(responding(422, { code: 'amount_too_large' }), 5)).to.deep.equal(tooLarge);
    expect(await refund(responding(400, 'bad'))).to.deep.equal({ kind: 'rejected', code: 'rejected' });
    expect(await refund(responding(404, { code: 'no_such_charge' }))).to.include({ code: 'no_such_charge' });
    const unclear = [
      responding(202, {}),
      responding(409, {}),
      responding(409, { code: 'busy', status: 'paid' }),
      responding(404, 'a proxy’s page'),
      responding(401, {}),
      responding(503, {}),
    ];
    for (const one of unclear) expect(await failure(refund(one))).to.be.instanceOf(GatewayUnclear);
    expect(await failure(gateway(nowhere).refundCharge('k', 'c', null))).to.be.instanceOf(GatewayUnclear);
  });

  it('B7: asks for a part by its amount in units, and for what is left without one', async () => {
    const bodies: unknown[] = [];
    serve = (incoming, outgoing) => {
      incoming.on('data', (chunk: Buffer) => bodies.push(JSON.parse(chunk.toString())));
      incoming.on('end', () => responding(200, {})(incoming, outgoing));
    };
    await gateway().refundCharge('refund:1', 'c', 2.5);
    await gateway().refundCharge('refund:2', 'c', null);
    expect(bodies).to.deep.equal([{ amount: 2.5 }, {}]);
  });

  const told = { chargeId: 'c', status: 'paid', amount: 12.5, currency: 'TWD', shopId: 's' } as const;

  it('a charge: what the gateway does not say reads as never paid and nothing refunded', async () => {
    serve = responding(200, told);
    const unsaid = { paidAt: null, refundedAmount: 0, disputedAmount: null };
    expect(await gateway().readCharge('c')).to.deep.equal({ ...told, ...unsaid });
    const said = { ...told, paidAt: '2026-11-24T09:00:00Z', refundedAmount: 2.5, disputedAmount: 1.5 };
    serve = responding(200, { ...said, createCalls: 1 });
    expect(await gateway().readCharge('c')).to.deep.equal(said);
    serve = responding(200, { ...told, refundedAmount: 'some' });
    expect(await failure(gateway().readCharge('c'))).to.be.instanceOf(GatewayUnclear);
  });

  it('B15: lists a period page by page; a page that cannot be read in full is unclear', async () => {
    let path = '';
    const item = { ...told, orderNo: 'o-1' };
    const answer = (body: unknown): Serve => {
      return (incoming, outgoing) => {
        path = incoming.url ?? '';
        responding(200, body)(incoming, outgoing);
      };
    };
    const period = { shopId: 's&1', from: '2026-11-23T00:00:00+00:00', to: '2026-11-24T00:00:00Z' };
    serve = answer({ items: [item], nextCursor: 'n/1' });
    const page = await gateway().listCharges({ ...period, cursor: null });
    expect(page).to.deep.equal({
      items: [{ ...item, paidAt: null, refundedAmount: 0, disputedAmount: null }],
      nextCursor: 'n/1',
    });
    const asked = () => Object.fromEntries(new URL(path, 'http://gateway.test').searchParams);
    expect(asked()).to.deep.equal(period);
    serve = answer({ items: [] });
    const last = await gateway().listCharges({ ...period, cursor: page.nextCursor });
    expect([last, asked()]).to.deep.equal([
      { items: [], nextCursor: null },
      { ...period, cursor: 'n/1' },
    ]);
    for (const wrong of [{ items: [item, told] }, {}, 'no json']) {
      serve = answer(wrong);
      expect(await failure(gateway().listCharges({ ...period, cursor: null }))).to.be.instanceOf(GatewayUnclear);
    }
  });

  it('lists refunds; a gateway without the list says so, and anything else is unclear', async () => {
    const period = { shopId: 's', from: '2026-11-23T00:00:00Z', to: '2026-11-24T00:00:00Z', cursor: null };
    const item = { refundId: 're', chargeId: 'c', orderNo: 'o', amount: 2, currency: 'TWD', refundedAt: period.from };
    serve = responding(200, { items: [item, { ...item, idempotencyKey: 'refund:1' }], nextCursor: '' });
    const keys = (await gateway().listRefunds(period))?.items.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).to.deep.equal([null, 'refund:1']);
    serve = responding(404, { code: 'not_found' });
    expect(await gateway().listRefunds(period)).to.equal(null);
    for (const wrong of [responding(200, { items: [{}] }), responding(503, {})]) {
      serve = wrong;
      expect(await failure(gateway().listRefunds(period))).to.be.instanceOf(GatewayUnclear);
    }
  });
});
