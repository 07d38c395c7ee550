const tenant = { name: 'Shop', businessType: 0, PAYGW_shopId: 'paygw' };
const cash = { tenantId: 'shop', grossMoneyAmount: 100, moneyAmount: 100 };

/** A valid body for each operation that has one. */
export const goodBodies = (orderId: string): Record<string, Record<string, unknown>> => ({
  createOrder: cash,
  getOrder: { tenantId: 'shop', orderId },
  listOrders: { tenantId: 'shop' },
  payOrder: { tenantId: 'shop' },
  cancelOrder: { tenantId: 'shop' },
  putTenant: tenant,
  putGoods: {
    tenantId: 'shop',
    name: 'Tea',
    pricingType: 'PAYMENT_OPTIONS',
    stock: null,
    paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 0, cashAmount: 10 }],
  },
  changeStock: { delta: 1, reason: 'counted', key: 'k' },
  putCoupon: { tenantId: 'shop', userId: 'u-1', name: 'C' },
  grantPoints: { tenantId: 'shop', userId: 'u-1', kind: 'wallet', amount: 1, key: 'k' },
  adjustPoints: { tenantId: 'shop', userId: 'u-1', kind: 'wallet', delta: -1, reason: 'by mistake', key: 'k' },
  putWebhook: { url: 'https://merchant.example/' },
  getOwnPoints: { tenantId: 'shop' },
  listOwnCoupons: { tenantId: 'shop' },
  reconcile: { date: '2026-01-02' },
  changeInvoice: { number: 'AB-12345678', issuedAt: '2026-11-22T10:00:00Z' },
  resolveOrder: { outcome: 'complete' },
  resolveApproval: { outcome: 'approve' },
  noteDispute: { text: 'evidence sent' },
});

/** A valid query for each operation that requires one. */
export const goodQueries: Record<string, string> = {
  getPoints: '?tenantId=shop&userId=u-1',
  listPointEntries: '?tenantId=shop&userId=u-1',
  getReconciliation: '?date=2026-01-02',
};

/** What a path is about, if it is not an order. */
export const idIn = (path: string): string | undefined =>
  Object.entries({ '/tenants/': 'shop', '/goods/': 'g', '/coupons/': 'c' }).find(([part]) => path.includes(part))?.[1];
