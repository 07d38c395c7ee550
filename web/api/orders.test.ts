import { expect } from 'chai';
import { credentials } from './http/credentials.ts';
import { OrderProblem } from './http/order-problem.ts';
import { ApiProblem } from './http/problem.ts';
import { callOrders } from './orders.ts';

describe('the client of the order service', () => {
  const realFetch = globalThis.fetch;
  const realRenew = credentials.renew;
  let asked: { address: string; init: RequestInit | undefined }[] = [];
  afterEach(() => {
    globalThis.fetch = realFetch;
    credentials.renew = realRenew;
  });

  function responding(status: number, body: unknown): void {
    asked = [];
    globalThis.fetch = (address, init) => {
      asked.push({ address: String(address), init });
      return Promise.resolve(
        new Response(JSON.stringify(body), {
          status,
          headers: { date: new Date(Date.now() + 3_600_000).toUTCString() },
        }),
      );
    };
  }
  const pay = () => callOrders('payOrder', { params: { id: 'o/1' }, body: { tenantId: 'shop' } });
  const failure = async (): Promise<unknown> =>
    pay().then(
      () => null,
      (error: unknown) => error,
    );

  it('sends to the operation’s path and returns the data, with the service’s clock', async () => {
    responding(200, { code: 1000, message: 'OK', data: { orderId: 'o/1', paymentUrl: null }, requestId: 'r' });
    const response = await pay();
    expect(response.data.paymentUrl).to.equal(null);
    expect(response.clockAheadMs).to.be.within(3_540_000, 3_601_000);
    expect(asked.map(({ address }) => address)).to.deep.equal(['/api/v1/transaction/v1/user/order/o%2F1/pay']);
    expect(asked[0]?.init).to.include({ method: 'POST', credentials: 'same-origin', body: '{"tenantId":"shop"}' });
  });

  it('distinguishes an error of the order service from one of the BFF, and both from a missing response', async () => {
    responding(409, { code: 90300, message: 'Not enough points', data: null, requestId: 'r' });
    const rejected = await failure();
    expect(rejected).to.be.instanceOf(OrderProblem).that.includes({ code: 90300, requestId: 'r' });

    responding(503, { code: 'unavailable', status: 503, title: 'Away', detail: 'Away', requestId: 'r' });
    expect(await failure())
      .to.be.instanceOf(ApiProblem)
      .that.includes({ code: 'unavailable' });

    globalThis.fetch = () => Promise.reject(new TypeError('connection refused'));
    expect(await failure())
      .to.be.instanceOf(ApiProblem)
      .that.includes({ code: 'network', status: 0 });
  });

  it('has the payer sign in again if the session has expired, whichever service reports it', async () => {
    let renewals = 0;
    credentials.renew = () => {
      renewals += 1;
      return Promise.resolve(false);
    };
    responding(401, { code: 90002, message: 'No valid session', data: null, requestId: 'r' });
    expect(await failure()).to.be.instanceOf(OrderProblem);
    responding(401, { code: 'unauthorized', status: 401, title: 'Sign in', detail: '', requestId: 'r' });
    expect(await failure()).to.be.instanceOf(ApiProblem);
    expect(renewals).to.equal(2);
  });
});
