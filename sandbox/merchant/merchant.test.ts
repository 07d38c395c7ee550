import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { startRunning } from '../testing/running.ts';
import type { Running } from '../testing/running.ts';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

/** The headers that the reference library makes. */
function signed(secret: string, id: string, body: string, at = new Date()): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

describe('sandbox: a merchant’s receiver', () => {
  let running: Running;
  before(async () => {
    running = await startRunning();
  });
  after(() => running.end());

  const post = (tenantId: string, body: string, headers: Record<string, string> = {}) =>
    running.call('POST', `/sandbox/merchant/${tenantId}/events`, body, headers);
  const events = async (tenantId: string, query = '') =>
    (await running.call('GET', `/sandbox/merchant/${tenantId}/events${query}`)).body;
  const put = (tenantId: string, settings: unknown) => running.call('PUT', `/sandbox/merchant/${tenantId}`, settings);

  it('B14: stores what arrives, exactly, through a restart, and per tenant', async () => {
    const body = '{"type": "order.paid",  "data": {"orderNo": "Ö-1"}}';
    const headers = signed(newSecret(), 'msg_1', body);
    expect((await post('t1', body, headers)).status).to.equal(200);
    await post('t1', 'no json');
    await running.restart();
    await post('t2', '{}');
    const { total, items } = await events('t1');
    expect(total).to.equal(2);
    expect(items[0]).to.deep.include({
      tenantId: 't1',
      headers,
      raw: body,
      body: { type: 'order.paid', data: { orderNo: 'Ö-1' } },
      signature: null,
    });
    expect(items[1]).to.deep.include({ body: 'no json', signature: null });
    expect(items[1]?.['headers']).to.include({ 'webhook-id': null });
    const [other] = (await events('t2')).items;
    expect(other?.['number']).to.equal(3);
    expect((await events('t1', '?since=1')).items.map(({ raw }) => raw)).to.deep.equal(['no json']);
    expect((await events('t1', '?webhookId=msg_1')).total).to.equal(1);
  });

  it('B14: says of each event whether its signature is one of the reference library with this secret', async () => {
    const secret = newSecret();
    expect((await put('signed', { secret })).body).to.deep.equal({ secret, down: false });
    const body = '{"type":"order.created"}';
    const good = signed(secret, 'msg_1', body);
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const other = signed(newSecret(), 'msg_1', body)['webhook-signature'];
    const cases: Array<[string, string, Record<string, string>]> = [
      ['valid', body, good],
      ['valid', body, { ...good, 'webhook-signature': `${other} v1a,xyz ${good['webhook-signature']}` }],
      ['valid', body, signed(secret, 'msg_1', body, minutesAgo(4))],
      ['invalid', body, signed(secret, 'msg_1', body, minutesAgo(6))],
      ['invalid', body, signed(secret, 'msg_1', body, minutesAgo(-6))],
      ['invalid', body, signed(newSecret(), 'msg_1', body)],
      ['invalid', `${body} `, good],
      ['invalid', body, { ...good, 'webhook-id': 'msg_2' }],
      ['invalid', body, { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) }],
      ['invalid', body, { ...good, 'webhook-signature': 'v1,' }],
      ['invalid', body, {}],
    ];
    for (const [, text, headers] of cases) expect((await post('signed', text, headers)).status).to.equal(200);
    const { items } = await events('signed');
    expect(items.map(({ signature }) => signature)).to.deep.equal(cases.map(([expected]) => expected));
    expect((await put('signed', { secret: 'secret' })).status).to.equal(400);
    expect((await put('signed', { secret: null })).body).to.deep.equal({ secret: null, down: false });
  });

  it('B14: is down until it is told to be up again, and stores nothing meanwhile', async () => {
    const secret = newSecret();
    await put('moody', { secret });
    await put('moody', { down: true });
    await running.restart();
    expect((await post('moody', '{}', signed(secret, 'msg_1', '{}'))).status).to.equal(503);
    expect((await events('moody')).total).to.equal(0);
    expect((await put('moody', { down: false })).body).to.deep.equal({ secret, down: false });
    expect((await post('moody', '{}', signed(secret, 'msg_1', '{}'))).status).to.equal(200);
    expect((await events('moody')).items[0]?.['signature']).to.equal('valid');
    const calls = (await running.call('GET', '/sandbox/calls?route=merchant.events&limit=2')).body.items;
    expect(calls.map(({ status }) => status)).to.deep.equal([503, 200]);
  });

  it('B14: fails by the sandbox’s faults, with and without an effect', async () => {
    const faults = [
      { route: 'merchant.events', mode: 'status', status: 500, count: 1 },
      { route: 'merchant.events', mode: 'lost-answer', count: 1 },
    ];
    await running.call('PUT', '/sandbox/faults', { faults });
    expect((await post('faulty', '{"n":1}')).status).to.equal(500);
    const lost = await post('faulty', '{"n":2}').then(
      () => false,
      () => true,
    );
    await running.call('PUT', '/sandbox/faults', { faults: [] });
    expect([lost, (await events('faulty')).items.map(({ raw }) => raw)]).to.deep.equal([true, ['{"n":2}']]);
  });

  it('B14: keeps the newest 1,000 of a tenant, and the others of another', async () => {
    await post('quiet', '{}');
    for (let from = 0; from < 1005; from += 67)
      await Promise.all(Array.from({ length: 67 }, (_, index) => post('busy', `{"n":${from + index}}`)));
    const { total, items } = await events('busy');
    expect([total, items.length]).to.deep.equal([1000, 1000]);
    const numbers = items.map(({ number }) => Number(number));
    expect(numbers).to.deep.equal(numbers.toSorted((one, other) => one - other));
    expect((await events('busy', '?limit=1')).items[0]?.['number']).to.equal(numbers.at(-1));
    expect((await events('quiet')).total).to.equal(1);
  });

  it('B14: shows them on a page, harmless whatever they contain', async () => {
    const secret = newSecret();
    await put('shown', { secret });
    const body = JSON.stringify({ type: 'order.paid', data: { orderNo: '<b>1</b>' } });
    for (const _ of [1, 2]) await post('shown', body, signed(secret, 'msg_shown', body));
    await post('shown', 'null');
    const page = String((await running.call('GET', '/merchant?tenant=shown')).body['text']);
    expect(page).to.include('order.paid').and.to.include('&lt;b&gt;1&lt;/b&gt;').and.to.not.include('<b>1</b>');
    expect(page.match(/class="pill valid"/g)).to.have.length(2);
    expect(page.match(/class="pill invalid"/g)).to.have.length(1);
    expect(page.match(/>repeated</g)).to.have.length(1);
    expect(page).to.include('Take it down').and.to.include(secret);
    expect(String((await running.call('GET', '/merchant')).body['text'])).to.include('<option value="shown">');
  });
});
