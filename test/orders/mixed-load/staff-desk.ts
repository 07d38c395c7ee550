import type { CallbackEvent, StaffOrderData } from '#domain/orders/responses.ts';
import { DISPUTED } from '#domain/orders/states.ts';
import type { Shop } from './market.ts';

interface Page<Item> {
  items: Item[];
}

/** The staff of one shop: decide about flagged orders, unmatched money, refunds that the gateway rejects and disputes, in turns. */
export function createStaffDesk({ staff }: Shop) {
  const decided = new Map<string, 'complete' | 'refund'>();
  let turns = 0;

  async function items<Item>(path: string): Promise<Item[]> {
    const { code, data } = await staff.call<Page<Item>>('staffList', 'GET', path);
    return code === 1000 ? data.items : [];
  }

  async function decideFlagged(): Promise<void> {
    for (const { orderId, flags } of await items<StaffOrderData>('/admin/orders?flagged=true')) {
      if (flags.every((flag) => flag === DISPUTED)) continue;
      const before = decided.get(orderId);
      turns += 1;
      // What cannot be completed (90206) is refunded; what was already decided is only asked for again.
      const outcome = before ?? (turns % 2 === 0 ? 'complete' : 'refund');
      const { code } = await staff.call('resolve', 'POST', `/admin/orders/${orderId}/resolve`, { outcome });
      decided.set(orderId, code === 90206 ? 'refund' : outcome);
    }
  }

  async function decideUnmatched(): Promise<void> {
    for (const { eventId } of await items<CallbackEvent>('/admin/callbacks/unmatched')) {
      turns += 1;
      const decision = { outcome: turns % 2 === 0 ? 'refund' : 'ignore', note: 'of the load' };
      await staff.call('resolveCallback', 'POST', `/admin/callbacks/${eventId}/resolve`, decision);
    }
  }

  /** The gateway is asked again; a refund of which nothing is left is over. */
  async function settleRefunds({ refunds }: StaffOrderData): Promise<void> {
    for (const { refundId, amount } of refunds.filter(({ needsStaff }) => needsStaff)) {
      const decision = { outcome: amount === 0 ? 'done_elsewhere' : 'retry', note: 'of the load' };
      await staff.call('resolveRefund', 'POST', `/admin/refunds/${refundId}/resolve`, decision);
    }
  }

  /** A dispute that claims more than was left is only noted. */
  async function noteDisputes({ disputes }: StaffOrderData): Promise<void> {
    for (const { disputeId } of disputes.filter(({ needsStaff, status }) => needsStaff && status !== 'open'))
      await staff.call('noteDispute', 'POST', `/admin/disputes/${disputeId}/note`, { text: 'of the load' });
  }

  async function settleOrders(): Promise<void> {
    for (const { orderId } of await items<StaffOrderData>('/admin/orders?needsStaff=true')) {
      const { code, data } = await staff.call<StaffOrderData>('staffOrder', 'GET', `/admin/orders/${orderId}`);
      if (code !== 1000) continue;
      await settleRefunds(data);
      await noteDisputes(data);
    }
  }

  return async function work(): Promise<void> {
    await decideFlagged();
    await decideUnmatched();
    await settleOrders();
  };
}
