import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { ok, staff } from '../support/shop.ts';

describe('Points by staff', () => {
  const shop = useOrders({ tenants: { shop: {}, branch: { headquartersTenantId: 'shop' }, other: {} } });
  const gift = { tenantId: 'shop', userId: 'u-1', kind: 'wallet' };
  const adjust = (more: object, as: object = staff('shop')) =>
    shop.post('/admin/points/adjust', { ...gift, reason: 'by mistake', ...more }, as);
  const grant = (more: object) => shop.post('/admin/points/grant', { ...gift, ...more }, staff('shop'));
  const wallet = async (userId = 'u-1') => (await shop.points('shop', userId)).wallet;
  const entries = async (query: string) =>
    ok(await shop.request('GET', `/admin/points/entries?${query}`, undefined, staff('shop'))).data as unknown as {
      items: Record<string, unknown>[];
      nextCursor: string | null;
    };

  it('B11: an adjustment goes up and down, to 0 available', async () => {
    ok(await grant({ amount: 100, key: 'start' }));
    expect(ok(await adjust({ delta: 20, key: 'up' })).data['wallet']).to.deep.equal({
      available: 120,
      reserved: 0,
      committed: 0,
    });
    ok(await adjust({ delta: -120, key: 'down' }));
    expect(await wallet()).to.deep.equal({ available: 0, reserved: 0, committed: 0 });
  });

  it('B11: below 0 available it is 90300 and changes nothing, what is reserved stays, and granted is the sum', async () => {
    ok(await adjust({ delta: 40, key: 'again' }));
    const order = await shop.create('shop', {
      grossMoneyAmount: 10,
      moneyAmount: 4,
      pointsPlan: { walletPoints: 24 },
    });
    ok(await shop.payUntilKnown(order, 'shop'));
    const before = await shop.database('ledger_entry').count();
    expect(await adjust({ delta: -17, key: 'too-much' })).to.include({ status: 409, code: 90300 });
    expect(await adjust({ userId: 'nobody', delta: -1, key: 'none' })).to.include({ code: 90300 });
    expect(await shop.database('ledger_entry').count()).to.deep.equal(before);
    expect(await shop.database('point_account').where({ user_id: 'nobody' })).to.deep.equal([]);
    ok(await adjust({ delta: -16, key: 'all' }));
    expect(await wallet()).to.deep.equal({ available: 0, reserved: 24, committed: 0 });
    const account = await shop.database('point_account').where({ user_id: 'u-1', kind: 'wallet' }).first();
    expect(account).to.include({ granted: 24 });
    ok(await shop.cancel(order, 'shop'));
    expect(await wallet()).to.deep.equal({ available: 24, reserved: 0, committed: 0 });
    await shop.expectBalanced();
  });

  it('B11: a key grants or adjusts once; with another body it is 90205', async () => {
    const before = (await wallet('u-2')).available;
    const twice = { userId: 'u-2', amount: 5, key: 'twice' };
    ok(await grant(twice));
    ok(await grant(twice));
    for (const more of [{ amount: 6 }, { userId: 'u-3' }, { kind: 'tenant' }])
      expect(await grant({ ...twice, ...more })).to.include({ status: 409, code: 90205 });
    // Grants and adjustments have keys of their own.
    const down = { userId: 'u-2', delta: -5, key: 'twice' };
    ok(await adjust(down));
    ok(await adjust(down));
    for (const more of [{ delta: -4 }, { userId: 'u-3' }, { kind: 'tenant' }, { reason: 'on purpose' }])
      expect(await adjust({ ...down, ...more })).to.include({ status: 409, code: 90205 });
    expect((await wallet('u-2')).available).to.equal(before);
    expect(await shop.database('point_account').where({ user_id: 'u-3' })).to.deep.equal([]);
  });

  it('B11: of many at once, each key counts once and none goes below 0', async () => {
    ok(await grant({ userId: 'racer', amount: 5, key: 'racer' }));
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => adjust({ userId: 'racer', delta: -1, key: `race-${n % 10}` })),
    );
    const codes = all.map(({ code }) => code);
    expect(new Set(codes)).to.deep.equal(new Set([1000, 90300]));
    expect(await wallet('racer')).to.deep.equal({ available: 0, reserved: 0, committed: 0 });
    const same = { userId: 'racer', amount: 3, key: 'one' };
    for (const response of await Promise.all(Array.from({ length: 10 }, () => grant(same)))) ok(response);
    expect((await wallet('racer')).available).to.equal(3);
  });

  it('B11: malformed adjustments are 90001, unknown tenants 90201, others’ 90003', async () => {
    for (const more of [{ delta: 0 }, { delta: 0.5 }, { delta: 1, reason: '' }, { delta: 1, kind: 'gold' }])
      expect((await adjust({ key: 'k', ...more })).code, JSON.stringify(more)).to.equal(90001);
    const fine = { delta: 1, key: 'k' };
    expect((await adjust(fine, staff('other'))).code).to.equal(90003);
    expect((await adjust({ ...fine, tenantId: 'nowhere' }, staff('nowhere'))).code).to.equal(90201);
    expect((await adjust(fine, { tenantId: 'shop' })).code).to.equal(90003);
  });

  it('B11: every movement of an account, newest first, with who and why; by kind, page by page', async () => {
    ok(await shop.post('/admin/points/grant', { ...gift, userId: 'told', amount: 50, key: 'told' }, staff('shop')));
    const more = { ...gift, userId: 'told', kind: 'tenant', delta: 9, reason: 'sorry', key: 'told' };
    ok(await shop.post('/admin/points/adjust', more, { ...staff('shop'), userId: 's-2' }));
    const order = await shop.create(
      'shop',
      { grossMoneyAmount: 10, moneyAmount: 8, pointsPlan: { walletPoints: 8 } },
      'told',
    );
    ok(await shop.payUntilKnown(order, 'shop', 'told'));
    ok(await shop.cancel(order, 'shop', 'told'));
    const { items } = await entries('tenantId=shop&userId=told');
    const shown = items.map(({ movementKind, kind, amount, orderId, actor, reason }) => [
      movementKind,
      kind,
      amount,
      orderId,
      actor,
      reason,
    ]);
    expect(shown).to.deep.equal([
      ['release', 'wallet', 8, order.orderId, null, null],
      ['reserve', 'wallet', 8, order.orderId, null, null],
      ['adjust', 'tenant', 9, null, 's-2', 'sorry'],
      ['grant', 'wallet', 50, null, 's-1', null],
    ]);
    expect((await entries('tenantId=shop&userId=told&kind=tenant')).items).to.deep.equal([items[2]]);
    const first = await entries('tenantId=shop&userId=told&limit=3');
    const rest = await entries(`tenantId=shop&userId=told&limit=3&cursor=${first.nextCursor}`);
    expect([...first.items, ...rest.items]).to.deep.equal(items);
    expect(rest.nextCursor).to.equal(null);
    const path = '/admin/points/entries?tenantId=shop&userId=told';
    expect((await shop.request('GET', path, undefined, staff('other'))).code).to.equal(90003);
  });

  it('B11: accounts of a tenant by user id, found by its beginning', async () => {
    for (const userId of ['zoe%1', 'zoe', 'zoe-2', 'Zoe']) ok(await grant({ userId, amount: 1, key: userId }));
    ok(await grant({ userId: 'zoe', kind: 'tenant', amount: 2, key: 'zoe-t' }));
    const list = async (query: string) =>
      ok(await shop.request('GET', `/admin/points/accounts?${query}`, undefined, staff('shop'))).data as unknown as {
        items: { userId: string; points: Record<string, { available: number }> }[];
        nextCursor: string | null;
      };
    const ids = async (query: string) => (await list(query)).items.map(({ userId }) => userId);
    expect(await ids('q=zoe')).to.deep.equal(['zoe', 'zoe%1', 'zoe-2']);
    expect(await ids('q=zoe%25')).to.deep.equal(['zoe%1']);
    const [zoe] = (await list('q=zoe')).items;
    expect(zoe?.points).to.deep.equal(await shop.points('shop', 'zoe'));
    const all = await ids('limit=200');
    expect(all).to.include.members(['Zoe', 'u-1', 'racer']);
    const first = await list('limit=2');
    expect([
      ...first.items.map(({ userId }) => userId),
      ...(await ids(`limit=200&cursor=${first.nextCursor}`)),
    ]).to.deep.equal(all);
    expect(await ids('tenantId=branch')).to.deep.equal([]);
    const denied = await shop.request('GET', '/admin/points/accounts?tenantId=shop', undefined, staff('other'));
    expect(denied.code).to.equal(90003);
  });

  it('B11: payers see their own points where they may create orders', async () => {
    const own = (body: object, as: object = {}) => shop.post('/user/points', body, as);
    expect(ok(await own({ tenantId: 'shop' })).data).to.deep.equal(await shop.points('shop'));
    expect(ok(await own({ tenantId: 'branch' })).data['wallet']).to.deep.equal({
      available: 0,
      reserved: 0,
      committed: 0,
    });
    expect((await own({ tenantId: 'other' })).code).to.equal(90003);
    expect((await own({})).code).to.equal(90001);
    expect((await own({ tenantId: 'shop' }, { tenantId: '' })).code).to.equal(90003);
  });
});
