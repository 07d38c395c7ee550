import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { startOrdersService, type OrdersService } from './support/orders-service.ts';
import { ok, shopping, staff } from './support/shop.ts';

interface Vectors {
  tenants: { tenantId: string }[];
  goods: { goodsId: string; tenantId: string }[];
  coupons: { couponId: string; tenantId: string }[];
  cases: {
    id: string;
    why?: string;
    tenantId: string;
    request: object;
    expect: { code: number; totalMoney?: number; items?: Record<string, number>[] };
  }[];
}

const vectors = JSON.parse(readFileSync(new URL('../vectors/pricing.json', import.meta.url), 'utf8')) as Vectors;

describe('Pricing vectors through HTTP', () => {
  let service: OrdersService;

  before(async () => {
    service = await startOrdersService({ worker: false });
    for (const { tenantId, ...body } of vectors.tenants)
      ok(await service.request('PUT', `/admin/tenants/${tenantId}`, body, staff(tenantId)));
    for (const { goodsId, ...body } of vectors.goods)
      ok(await service.request('PUT', `/admin/goods/${goodsId}`, body, staff(body.tenantId)));
    for (const { couponId, ...body } of vectors.coupons)
      ok(await service.request('PUT', `/admin/coupons/${couponId}`, body, staff(body.tenantId)));
  });
  after(() => service.stop());

  for (const vector of vectors.cases) {
    it(`${vector.id}${vector.why ? `: ${vector.why}` : ''}`, async () => {
      const created = await service.post('/user/order/create', vector.request, { tenantId: vector.tenantId });
      expect(created.code, JSON.stringify(created)).to.equal(vector.expect.code);
      if (created.code !== 1000) {
        expect(created.data).to.equal(null);
        return;
      }
      const item = await shopping(service).item(created.data, vector.tenantId);
      expect(item).to.include({ totalMoney: vector.expect.totalMoney, carrierType: '3J0002', orderStatus: 0 });
      for (const [index, line] of (vector.expect.items ?? []).entries())
        expect((item['items'] as object[])[index]).to.include(line);
    });
  }
});
