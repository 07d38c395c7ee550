import { expect } from 'chai';
import { gatewayCalls } from '../testing/gateway-calls.ts';
import { eventually, startRunning } from '../testing/running.ts';
import type { Reply, Running } from '../testing/running.ts';

describe('sandbox: refunds of the payment gateway', () => {
  let running: Running;
  before(async () => {
    running = await startRunning();
  });
  after(() => running.end());

  const { api, created, pay, paid, refund } = gatewayCalls(() => running);
  const outcome = ({ status, body }: Reply) => [status, body.code ?? body.status];

  it('B7: a key gets its first response for ever, a rejection too, even after a restart', async () => {
    const chargeId = await created('charge:early');
    const early = await refund(chargeId, 'refund:early');
    expect([early.status, early.body.code, early.body.status]).to.deep.equal([409, 'not_paid', 'pending']);
    const unknown = await refund('none', 'refund:none');
    await pay(chargeId);
    await running.restart();
    expect(await refund(chargeId, 'refund:early')).to.deep.include({ status: 409, body: early.body });
    expect(await refund(chargeId, 'refund:none')).to.deep.include({ status: 404, body: unknown.body });
    expect((await api('GET', `/${chargeId}`)).body.status).to.equal('paid');
    expect(outcome(await refund(chargeId, 'refund:next'))).to.deep.equal([200, 'refunded']);
  });

  it('B7: in parts, until nothing is left', async () => {
    const chargeId = await paid('charge:parts');
    const part = await refund(chargeId, 'part:1', { amount: 100.1 });
    expect(part.body).to.include({ status: 'paid', refundedAmount: 100.1 });
    expect(await refund(chargeId, 'part:1', { amount: 100.1 })).to.deep.include({ status: 200, body: part.body });
    for (const amount of [20.41, 20.4])
      expect(outcome(await refund(chargeId, 'part:2', { amount }))).to.deep.equal([422, 'amount_too_large']);
    const { body } = await api('GET', `/${chargeId}`);
    expect(body).to.include({ status: 'paid', amount: 120.5, refundedAmount: 100.1 });
    expect(outcome(await api('POST', `/${chargeId}/cancel`))).to.deep.equal([409, 'already_paid']);
    const rest = await refund(chargeId, 'part:3', {});
    expect(rest.body).to.include({ status: 'refunded', refundedAmount: 120.5 });
    const more = await refund(chargeId, 'part:4', { amount: 1 });
    expect([more.status, more.body.code, more.body.status]).to.deep.equal([409, 'already_refunded', 'refunded']);
    const [charge] = (await running.call('GET', '/sandbox/charges?orderNo=o-1')).body.items.slice(-1);
    const refunds = (charge?.['refunds'] ?? []) as { key: string; amount: number }[];
    expect(refunds.map(({ key, amount }) => [key, amount])).to.deep.equal([
      ['part:1', 100.1],
      ['part:3', 20.4],
    ]);
  });

  it('B7: refuses amounts that are none, of any charge that no money came for', async () => {
    const chargeId = await paid('charge:amounts');
    for (const [index, amount] of [0, -1, 0.001, '5', Number.MAX_VALUE].entries())
      expect(outcome(await refund(chargeId, `amount:${index}`, { amount }))).to.deep.equal([422, 'invalid_request']);
    expect(outcome(await refund(chargeId, 'amount:null', { amount: null }))).to.deep.equal([200, 'refunded']);
    const cancelled = await created('charge:cancelled');
    await api('POST', `/${cancelled}/cancel`);
    const expired = await created('charge:expired', { expiresAt: new Date(Date.now() - 1000).toISOString() });
    for (const one of [cancelled, expired])
      expect(outcome(await refund(one, `refund:${one}`))).to.deep.equal([409, 'not_paid']);
    expect((await api('POST', `/${chargeId}/refund`, {})).status).to.equal(400);
  });

  it('a desk refund and those that were asked for are listed, told and shown, each with its id', async () => {
    const chargeId = await paid('charge:desk', { shopId: 'shop-desk' });
    const asked = await refund(chargeId, 'refund:asked', { amount: 20 });
    const desk = await running.call('POST', `/sandbox/charges/${chargeId}:refund`, { amount: 100 });
    expect(desk.status).to.equal(200);
    const ids = [asked.body['refundId'], desk.body['refundId']];
    expect(new Set(ids).size).to.equal(2);
    const told = await eventually(() => {
      const bodies = running.application.received
        .map(({ body }) => body)
        .filter((body) => body['chargeId'] === chargeId);
      return bodies.length === 2 && bodies;
    });
    expect(
      told.map((body) => [body['type'], body['refundId'], body['amount'], body['idempotencyKey']]),
    ).to.have.deep.members([
      ['charge.refunded', ids[0], 20, 'refund:asked'],
      ['charge.refunded', ids[1], 100, undefined],
    ]);
    const list = (more: string) =>
      running.call(
        'GET',
        `/payment-gateway/v1/refunds?shopId=shop-desk&from=2026-01-01T00:00:00Z&to=2099-01-01T00:00:00Z${more}`,
        undefined,
        {
          authorization: `Bearer ${running.settings.PAYMENT_GATEWAY_KEY}`,
        },
      );
    const first = await list('&limit=1');
    expect(first.body.items.map((item) => [item['refundId'], item['idempotencyKey']])).to.deep.equal([
      [ids[0], 'refund:asked'],
    ]);
    const second = await list(`&limit=1&cursor=${String(first.body['nextCursor'])}`);
    expect(second.body.items).to.have.length(1);
    expect(second.body.items[0]).to.include({
      refundId: ids[1],
      chargeId,
      orderNo: 'o-1',
      amount: 100,
      currency: 'TWD',
    });
    expect(second.body['nextCursor']).to.equal(null);
    const page = `/payment-gateway/pay/${chargeId}`;
    await fetch(`${running.url}${page}`, {
      method: 'POST',
      body: new URLSearchParams({ do: 'refund', amount: '0.5' }),
    });
    expect((await api('GET', `/${chargeId}`)).body).to.include({ status: 'refunded', refundedAmount: 120.5 });
    expect((await running.call('POST', `/sandbox/charges/${chargeId}:refund`, {})).status).to.equal(409);
  });
});
