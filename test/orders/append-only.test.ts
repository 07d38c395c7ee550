import { expect } from 'chai';
import type { Database } from '#db/database.ts';
import { recordAudit } from '#db/orders/audit.ts';
import { addDisputeNote } from '#db/orders/disputes/notes.ts';
import { Dispute } from '#db/orders/models/disputes.ts';
import { addNote } from '#db/orders/notes.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { ok } from './support/shop.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
const CHECK_VIOLATION = '23514';

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing failed',
    (error: { code?: string }) => error.code ?? String(error),
  );

const audit = (database: Database) =>
  database.transaction((transaction) =>
    recordAudit(transaction, {
      tenantId: 'shop',
      author: { userId: 's-1', requestId: null, callerRequestId: null },
      action: 'goods.put',
      subject: { type: 'goods', id: 'g' },
      before: null,
      after: {},
    }),
  );

/** A column of each table that records something, and a value that its rows do not have. */
const records: [table: string, change: string][] = [
  ['ledger_entry', 'amount = amount + 1'],
  ['order_transition', 'order_status = 30'],
  ['audit_entry', `actor = 'somebody else'`],
  ['order_note', `body = 'something else'`],
  ['dispute_note', `body = 'something else'`],
];

describe('the records of the order service', () => {
  const shop = useOrders({ points: { tenant: 10 } });

  before(async () => {
    const order = await shop.create('shop', { pointsPlan: { tenantPoints: 3 } });
    ok(await shop.pay(order, 'shop'));
    await audit(shop.database);
    const note = { orderId: order.orderId, author: 's-1', authorName: 'Sam', body: 'called' };
    await addNote(shop.database, note, () => Promise.resolve());
    await Dispute.query(shop.database).insert({
      disputeId: 'd',
      tenantId: 'shop',
      orderId: order.orderId,
      chargeId: 'c',
      amountMinor: 1,
      currency: 'TWD',
      reason: 'fraudulent',
      dueAt: new Date(),
      needsStaff: true,
      openedAt: new Date(),
    });
    const { orderId: _, ...ofDispute } = { ...note, disputeId: 'd' };
    await addDisputeNote(shop.database, ofDispute, () => Promise.resolve());
  });

  for (const [table, change] of records) {
    it(`B13: the service's role can add to ${table}, but neither change nor delete what is there`, async () => {
      const stored = await shop.database(table).select();
      expect(stored).not.to.have.length(0);
      for (const statement of [`update ${table} set ${change}`, `delete from ${table}`, `truncate ${table}`])
        expect(await failure(shop.database.raw(statement)), statement).to.equal(INSUFFICIENT_PRIVILEGE);
      expect(await shop.database(table).select()).to.deep.equal(stored);
    });
  }
});

const entry = (bucket: string, amount: number, more: object = {}) => ({
  movement: 'by-hand',
  bucket,
  amount,
  tenant_id: 'shop',
  user_id: 'u-1',
  kind: 'tenant',
  ...more,
});

describe('the entries of one movement', () => {
  const shop = useOrders({ points: { tenant: 10, wallet: 10 } });
  const insert = (...entries: object[]) => failure(shop.database('ledger_entry').insert(entries));

  it('B13: sum to zero by constraint: a lopsided movement is rejected', async () => {
    expect(await insert(entry('granted', -5), entry('available', 4))).to.equal(CHECK_VIOLATION);
    expect(await insert(entry('granted', -5))).to.equal(CHECK_VIOLATION);
    expect(await shop.database('ledger_entry').where({ movement: 'by-hand' })).to.have.length(0);
  });

  it('B13: sum to zero in each account', async () => {
    const across = [entry('granted', -5), entry('available', 5, { kind: 'wallet' })];
    expect(await insert(...across)).to.equal(CHECK_VIOLATION);
  });

  it('B13: cannot be completed or extended by a later statement', async () => {
    const [existing] = await shop.database('ledger_entry').where({ bucket: 'granted', kind: 'tenant' });
    expect(await insert(entry('reserved', 1, { movement: existing.movement }))).to.equal(CHECK_VIOLATION);
    const further = [entry('reserved', -1, { movement: existing.movement }), entry('reserved', 1)];
    expect(await insert(...further)).to.equal(CHECK_VIOLATION);
  });
});
