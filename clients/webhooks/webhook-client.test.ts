import { expect } from 'chai';
import { useReceiver, verified } from '#test/orders/support/merchant-receiver.ts';
import { newWebhookSecret } from './standard-webhooks.ts';
import { createOutsideAddresses } from '../addresses/outside-addresses.ts';
import { createWebhookClient, createWebhookExchange } from './webhook-client.ts';

describe('Posts to webhooks', () => {
  const merchant = useReceiver();
  const targets = createOutsideAddresses({ production: false });
  const exchange = createWebhookExchange(targets);
  const client = createWebhookClient({ exchange, targets });
  const secret = newWebhookSecret();
  after(() => exchange.destroy());

  const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: { tenantId: '店' } });
  const post = () => client.post({ url: `${merchant.url}/hook?a=b`, secrets: [secret], eventId: 'event-1', body });
  const answer = (status: number, headers: Record<string, string> = {}, text = '') => {
    merchant.state.respond = (_, response) => void response.writeHead(status, headers).end(text);
  };

  it('B14: are signed as Standard Webhooks, by the body as it is sent', async () => {
    answer(200);
    expect(await post()).to.deep.equal({ accepted: true, status: 200, error: null });
    const call = merchant.received.at(-1);
    if (!call) throw new Error('nothing was received');
    expect(call.path).to.equal('/hook?a=b');
    expect(call.body).to.equal(body);
    expect(call.headers).to.include({ 'webhook-id': 'event-1', 'content-type': 'application/json' });
    expect(verified(secret, call).data.tenantId).to.equal('店');
  });

  it('while a secret is being replaced, both sign, and a receiver verifies by either', async () => {
    answer(200);
    const later = newWebhookSecret();
    await client.post({ url: `${merchant.url}/hook`, secrets: [later, secret], eventId: 'event-2', body });
    const call = merchant.received.at(-1);
    if (!call) throw new Error('nothing was received');
    for (const one of [later, secret]) expect(verified(one, call).type).to.equal('webhook.test');
    expect(() => verified(newWebhookSecret(), call)).to.throw();
  });

  it('only a 2xx status accepts', async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      answer(status);
      expect(await post()).to.deep.equal({ accepted: true, status, error: null });
    }
    for (const status of [304, 400, 404, 410, 429, 500, 503]) {
      answer(status);
      expect(await post()).to.deep.equal({ accepted: false, status, error: null });
    }
  });

  it('redirects are not followed', async () => {
    const before = merchant.received.length;
    answer(307, { location: `${merchant.url}/elsewhere` });
    expect(await post()).to.deep.equal({ accepted: false, status: 307, error: null });
    expect(merchant.received).to.have.length(before + 1);
  });

  it('what is written in response does not matter, however long it is', async () => {
    answer(200, {}, 'x'.repeat(1_000_000));
    expect(await post()).to.deep.equal({ accepted: true, status: 200, error: null });
  });

  it('a connection that breaks is no response', async () => {
    merchant.state.respond = (_, __, request) => void request.socket.destroy();
    const { error, ...result } = await post();
    expect(result).to.deep.equal({ accepted: false, status: null });
    expect(error).to.be.a('string').and.not.equal('');
  });
});
