import { type Database, rows } from '#db/database.ts';
import { openOrderStatuses, orderStatus } from '#domain/orders/states.ts';

const open = openOrderStatuses.join(', ');

/**
 * What waits for something that nothing will do any more: a hold without a payment and the other way round, a charge that can
 * still be paid and nobody reads again, a callback that its order does not wait for. Each is a state of one moment, whatever is under way.
 */
const stranded = `
  select 'the payment of ' || o.order_id as what from customer_order o
  where o.tenant_id = :tenantId and o.order_status = ${orderStatus.PAYMENT_PENDING} and not exists (
    select from payment_attempt a
    where a.order_id = o.order_id and a.attempt = o.attempt and a.hold_status = 'reserved')
  union all
  select 'the hold of ' || o.order_id from customer_order o join payment_attempt a using (order_id)
  where o.tenant_id = :tenantId and a.hold_status = 'reserved'
    and (o.order_status not in (${open}) or o.attempt <> a.attempt)
  union all
  select 'the charge ' || a.charge_id from customer_order o join payment_attempt a using (order_id)
  where o.tenant_id = :tenantId and a.hold_status = 'released' and a.charge_id is not null and a.next_read_at is null
    and not exists (select from refund r where r.charge_id = a.charge_id)
  union all
  select 'the callback ' || e.event_id from customer_order o join gateway_event e using (order_id)
  where o.tenant_id = :tenantId and e.status = 'stored' and e.type = 'charge.paid' and o.order_status not in (${open})`;

/** @throws Error that names what nothing will go on with. */
export async function expectNothingStranded(database: Database, tenantId: string): Promise<void> {
  const found = await rows<{ what: string }>(database, stranded, { tenantId });
  if (found.length > 0) throw new Error(`nothing will go on with ${found.map(({ what }) => what).join(', ')}`);
}
