import { expect } from 'chai';
import { gatewayCalls } from '../testing/gateway-calls.ts';
import { eventually, startRunning } from '../testing/running.ts';
import type { Running } from '../testing/running.ts';

describe('sandbox: disputes at the payment gateway', () => {
  let running: Running;
  before(async () => {
    running = await startRunning();
  });
  after(() => running.end());

  const { api, created, paid, refund } = gatewayCalls(() => running);
  const control = (chargeId: string, verb: string, body: object) =>
    running.call('POST', `/sandbox/charges/${chargeId}:${verb}`, body);
  const told = (chargeId: string, types: string[]) =>
    eventually(() => {
      const bodies = running.application.received
        .map(({ body }) => body)
        .filter((body) => types.includes(String(body['type'])));
      const own = bodies.filter((body) => body['orderNo'] === 'o-1' && body['shopId'] === chargeId);
      return own.length > 0 && own;
    });

  it('an open or lost one is shown apart from refunds and cannot be refunded; a won one is shown no more', async () => {
    const chargeId = await paid('charge:disputed', { shopId: 'shop-disputed' });
    const first = await control(chargeId, 'dispute', { amount: 100.1, reason: 'fraudulent' });
    const shown = async () => (await api('GET', `/${chargeId}`)).body;
    expect(await shown()).to.include({ status: 'paid', refundedAmount: 0, disputedAmount: 100.1 });
    expect((await refund(chargeId, 'too much', { amount: 20.41 })).body.code).to.equal('amount_too_large');
    expect((await refund(chargeId, 'the rest')).body).to.include({ status: 'paid', refundedAmount: 20.4 });
    expect((await refund(chargeId, 'nothing')).body.code).to.equal('amount_too_large');
    expect((await control(chargeId, 'close-dispute', { outcome: 'won' })).status).to.equal(200);
    expect((await control(chargeId, 'close-dispute', { outcome: 'lost' })).status).to.equal(409);
    expect(await shown()).to.include({ refundedAmount: 20.4, disputedAmount: 0 });
    const opened = await told('shop-disputed', ['charge.disputed']);
    expect(opened[0]).to.include({
      chargeId,
      disputeId: first.body['disputeId'],
      amount: 100.1,
      reason: 'fraudulent',
      currency: 'TWD',
    });
    const [closed] = await told('shop-disputed', ['charge.dispute_closed']);
    expect(closed).to.include({ disputeId: first.body['disputeId'], outcome: 'won' });
    await running.restart();
    const second = await control(chargeId, 'dispute', {});
    await control(chargeId, 'close-dispute', { disputeId: second.body['disputeId'], outcome: 'lost' });
    expect(await shown()).to.include({ status: 'paid', disputedAmount: 120.5 });
    expect((await control(chargeId, 'dispute', { amount: 120.51 })).status).to.equal(422);
    expect((await control(await created('charge:unpaid'), 'dispute', {})).status).to.equal(409);
  });

  it('the buttons of the payment page open and decide one', async () => {
    const chargeId = await paid('charge:page');
    const page = `${running.url}/payment-gateway/pay/${chargeId}`;
    const press = (form: Record<string, string>) => fetch(page, { method: 'POST', body: new URLSearchParams(form) });
    await press({ do: 'dispute', disputed: '50' });
    expect((await api('GET', `/${chargeId}`)).body).to.include({ disputedAmount: 50 });
    const [, button] = /value="(lost:[^"]+)"/.exec(await (await fetch(page)).text()) ?? [];
    await press({ do: button ?? '' });
    const [charge] = (await running.call('GET', '/sandbox/charges')).body.items.slice(-1);
    const disputes = (charge?.['disputes'] ?? []) as { outcome: string }[];
    expect(disputes.map(({ outcome }) => outcome)).to.deep.equal(['lost']);
    expect(await (await fetch(`${running.url}/payment-gateway`)).text()).to.include('TWD 50 disputed');
  });
});
