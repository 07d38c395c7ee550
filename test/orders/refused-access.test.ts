import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { eventually } from '../support/time/eventually.ts';
import { staff } from './support/shop.ts';

const PUT_TENANT = 'PUT /transaction/v1/admin/tenants/{id}';
const LIST_ORDERS = 'GET /transaction/v1/admin/orders';

describe('what the order service refuses by role or tenant', () => {
  const shop = useOrders({ worker: false, tenants: { shop: {}, other: {}, calm: {} } });

  const entriesOf = (tenantId: string) =>
    rows<{ actor: string; subjectId: string; after: object }>(
      shop.database,
      `select actor, subject_id, after from audit_entry
       where tenant_id = :tenantId and action = 'access.refuse' and subject_type = 'access' and before is null
       order by entry_id`,
      { tenantId },
    );
  const entry = (actor: string, subjectId: string, calls = 1) => ({ actor, subjectId, after: { calls } });
  const put = (as: object, tenantId = 'shop') =>
    shop.request('PUT', `/admin/tenants/${tenantId}`, { name: 'x', businessType: 0 }, as);
  async function refused(asked: Promise<{ code: number }>): Promise<void> {
    expect((await asked).code).to.equal(90003);
  }

  it('is in the audit log of the session’s tenant, not in that of the tenant asked for', async () => {
    await refused(put({ userId: 'payer', tenantId: 'shop' }));
    await refused(shop.request('GET', '/admin/orders', undefined, { userId: 'payer', tenantId: 'shop' }));
    const given = { 'x-request-id': 'of-nosy' };
    const nosy = { ...staff('other'), userId: 'nosy' };
    await refused(shop.request('PUT', '/admin/tenants/shop', { name: 'x', businessType: 0 }, nosy, given));
    await eventually('the entries', async () => (await entriesOf('other')).length === 1);
    expect(await entriesOf('shop')).to.deep.equal([entry('payer', PUT_TENANT), entry('payer', LIST_ORDERS)]);
    expect(await entriesOf('other')).to.deep.equal([entry('nosy', PUT_TENANT)]);
    const listed = await shop.request('GET', '/admin/audit?actor=nosy', undefined, staff('other'));
    const [shown] = listed.data['items'] as { requestId: string | null }[];
    expect(shown?.requestId).to.match(/^[0-9a-f-]{36}$/);
    expect(shown).to.deep.include({
      actor: 'nosy',
      action: 'access.refuse',
      subject: { type: 'access', id: PUT_TENANT },
      before: null,
      after: { calls: 1 },
      callerRequestId: 'of-nosy',
    });
  });

  it('is no entry for each: nobody fills the log, with the same call or with many', async () => {
    const eve = { userId: 'eve', tenantId: 'calm' };
    for (let call = 0; call < 30; call += 1) await refused(put(eve));
    const lists = ['orders', 'orders.csv', 'goods', 'coupons', 'audit', 'deliveries', 'attention'];
    const changes = ['refund', 'resolve', 'notes'];
    for (let round = 0; round < 5; round += 1) {
      for (const list of lists) await shop.request('GET', `/admin/${list}`, undefined, eve);
      for (const change of changes) await shop.post(`/admin/orders/o-${round}/${change}`, {}, eve);
    }
    await shop.refusals.close();
    const entries = await entriesOf('calm');
    expect(entries.slice(0, 1)).to.deep.equal([entry('eve', PUT_TENANT)]);
    expect(entries).to.deep.include(entry('eve', PUT_TENANT, 29));
    expect(entries).to.deep.include(entry('eve', LIST_ORDERS, 4));
    expect(entries.length).to.be.at.most(2 * (1 + lists.length + changes.length));
  });

  it('is nobody’s entry without a valid session, a tenant, or a record of the tenant', async () => {
    const all = () => rows(shop.database, `select 1 from audit_entry where action = 'access.refuse'`, {});
    const before = (await all()).length;
    expect((await shop.request('GET', '/admin/orders', undefined, null)).code).to.equal(90002);
    await refused(put({ userId: 'mallory', tenantId: '' }));
    await refused(put({ userId: 'mallory', tenantId: 'nowhere' }));
    await shop.refusals.close();
    expect(await all()).to.have.length(before);
  });
});
