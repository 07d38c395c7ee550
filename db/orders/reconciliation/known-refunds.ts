import { ownRefundIds } from '#domain/orders/refund-keys.ts';
import { type Database, rows } from '#db/database.ts';

/** A refund that the gateway lists. */
export interface RefundName {
  refundId: string;
  chargeId: string;
  orderNo: string;
  idempotencyKey: string | null;
}

export interface KnownRefund {
  chargeId: string;
  refundId: string;
  /** Of the charge, or by the order number; null without one. */
  orderId: string | null;
  /** Whose order it is; null without one. */
  tenantId: string | null;
  /** One of ours, or booked beside ours. */
  isOurs: boolean;
  /** Known to have been carried out. */
  isConfirmed: boolean;
}

/** Our records of these refunds, in any order, one result each. Reads by index only. */
export async function findKnownRefunds(database: Database, refunds: readonly RefundName[]): Promise<KnownRefund[]> {
  const keys = refunds.map(({ idempotencyKey }) => ownRefundIds(idempotencyKey));
  return rows(
    database,
    `select l.charge_id, l.refund_id, o.order_id, o.tenant_id, r.refund_id is not null as is_ours,
       coalesce(r.status = 'confirmed', false) as is_confirmed
     from unnest(:refundIds::text[], :chargeIds::text[], :orderNos::text[], :ids::text[], :otherIds::text[])
       as l (refund_id, charge_id, order_no, id, other_id)
     left join payment_attempt a on a.charge_id = l.charge_id
     left join customer_order o on o.order_id = coalesce(a.order_id,
       (select n.order_id from customer_order n where n.order_no = l.order_no))
     left join lateral (
       select k.refund_id, k.status from refund k where k.charge_id = l.charge_id
         and (k.gateway_refund_id = l.refund_id or k.refund_id in (l.id, l.other_id)
           or (k.kind = 'unaccepted' and k.status = 'confirmed'))
       order by k.gateway_refund_id = l.refund_id desc nulls last limit 1) r on true`,
    {
      refundIds: refunds.map(({ refundId }) => refundId),
      chargeIds: refunds.map(({ chargeId }) => chargeId),
      orderNos: refunds.map(({ orderNo }) => orderNo),
      ids: keys.map(([first]) => first ?? null),
      otherIds: keys.map(([, second]) => second ?? null),
    },
  );
}
