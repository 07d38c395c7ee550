import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';

describe('headers of the order service', () => {
  const shop = useOrders({ worker: false });

  it('tell browsers with every response what not to guess, keep, frame or share', async () => {
    const { origin } = new URL(shop.base);
    for (const path of [
      '/transaction/v1/orders/list',
      '/transaction/v1/nothing',
      '/nothing',
      '/openapi.json',
      '/healthz',
    ]) {
      const { headers } = await fetch(`${origin}${path}`);
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
      expect(headers.get('content-security-policy'), path).to.include("frame-ancestors 'none'");
      expect(headers.get('cross-origin-opener-policy'), path).to.equal('same-origin');
      expect(headers.get('cross-origin-resource-policy'), path).to.equal('same-origin');
      expect(headers.get('permissions-policy'), path).to.include('camera=()');
      expect(headers.get('cache-control'), path).to.equal(path.startsWith('/transaction/') ? 'no-store' : null);
    }
    const docs = await fetch(`${origin}/docs`);
    expect(docs.headers.get('content-security-policy')).to.include("script-src 'self'");
  });
});
