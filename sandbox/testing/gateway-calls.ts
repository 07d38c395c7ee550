import type { Reply, Running } from './running.ts';

/** What an application asks of the sandbox's payment gateway. */
export function gatewayCalls(running: () => Running) {
  const request = (more: Record<string, unknown> = {}) => ({
    shopId: 'shop-1',
    orderNo: 'o-1',
    amount: 120.5,
    currency: 'TWD',
    description: 'Two books',
    resultURL: 'http://127.0.0.1:4000/done',
    cancelURL: 'http://127.0.0.1:4000/cancelled',
    callbackURL: `${running().application.url}/callback`,
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    ...more,
  });
  const api = (method: string, path: string, body?: unknown, key?: string): Promise<Reply> =>
    running().call(method, `/payment-gateway/v1/charges${path}`, body, {
      authorization: `Bearer ${running().settings.PAYMENT_GATEWAY_KEY}`,
      ...(key ? { 'idempotency-key': key } : {}),
    });
  const pay = (chargeId: string, body: object = { callback: false }): Promise<Reply> =>
    running().call('POST', `/sandbox/charges/${chargeId}:pay`, body);
  const created = async (key: string, more?: Record<string, unknown>): Promise<string> =>
    String((await api('POST', '', request(more), key)).body.chargeId);
  return {
    request,
    api,
    created,
    pay,
    paid: async (key: string, more?: Record<string, unknown>): Promise<string> => {
      const chargeId = await created(key, more);
      await pay(chargeId);
      return chargeId;
    },
    refund: (chargeId: string, key: string, body: object = {}) => api('POST', `/${chargeId}/refund`, body, key),
  };
}
