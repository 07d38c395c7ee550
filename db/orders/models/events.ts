import { Model } from 'objection';
import type { Resolution } from '#domain/orders/administration.ts';

/** How a charge's report differs from its order, or two reports with one event id from each other. */
export type FlagCode = 'amount_mismatch' | 'currency_mismatch' | 'shop_mismatch' | 'event_conflict';

export class OrderFlag extends Model {
  static override tableName = 'order_flag';
  static override idColumn = ['orderId', 'code'];

  declare orderId: string;
  declare code: FlagCode;
  /** What was agreed, as text. */
  declare expected: string;
  /** What the gateway reports instead, as text. */
  declare reported: string;
  declare raisedAt: Date;
  declare resolution: Resolution | null;
  declare resolvedBy: string | null;
  declare resolvedAt: Date | null;
}

export type EventStatus = 'stored' | 'settled' | 'refunded' | 'unmatched' | 'ignored';

export class GatewayEvent extends Model {
  static override tableName = 'gateway_event';
  static override idColumn = 'eventId';

  declare eventId: string;
  declare type: string;
  declare chargeId: string;
  declare orderNo: string;
  declare shopId: string;
  declare amount: number;
  declare currency: string;
  /** The callback's body, verbatim. */
  declare body: string;
  declare orderId: string | null;
  declare status: EventStatus;
  declare receivedAt: Date;
  /** What staff decided about money that fits no order. */
  declare resolution: 'refund' | 'ignore' | null;
  declare resolvedBy: string | null;
  declare note: string | null;
  declare resolvedAt: Date | null;
  /** The gateway's id of the dispute that it opens or closes. */
  declare disputeId: string | null;
}
