import { Model } from 'objection';
import type { AuditAction, AuditSubject } from '../../domain/orders/administration/audit.ts';
import type { PointKind, Resolution } from '../../domain/orders/administration.ts';
import type { BusinessType, PaymentOption, PricedLine, PricingType } from '../../domain/orders/pricing.ts';
import type { RefundOrder, RefundStatus } from '../../domain/orders/administration/refunds.ts';
import type { OrderStatus, PaymentStatus, PointsStatus } from '../../domain/orders/states.ts';

/** Every table of schema `orders`: its columns and relations. Queries are in the file of their capability. */

export class Tenant extends Model {
  static override tableName = 'tenant';
  static override idColumn = 'tenantId';

  declare tenantId: string;
  declare name: string;
  declare businessType: BusinessType;
  declare shopId: string | null;
  declare currency: string;
  declare districtId: string | null;
  declare selfGoverned: boolean;
  declare headquartersTenantId: string | null;
  declare earnAttributes: string[];
  declare updatedAt: Date;
}

export class Goods extends Model {
  static override tableName = 'goods';
  static override idColumn = 'goodsId';
  static override jsonAttributes = ['paymentOptions'];

  declare goodsId: string;
  declare tenantId: string;
  declare name: string;
  declare pricingType: PricingType;
  /** Null if stock is unlimited. What is available is `stock - held`. */
  declare stock: number | null;
  declare held: number;
  declare paymentOptions: PaymentOption[];
  declare updatedAt: Date;
}

export class StockChange extends Model {
  static override tableName = 'stock_change';
  static override idColumn = 'changeId';

  declare changeId: number;
  declare goodsId: string;
  declare at: Date;
  declare actor: string;
  /** Null where the stock was set from or to unlimited. */
  declare delta: number | null;
  /** Null, like the key, where goods were put. */
  declare reason: string | null;
  /** Afterwards; null if unlimited. */
  declare stock: number | null;
  declare key: string | null;
}

export class Coupon extends Model {
  static override tableName = 'coupon';
  static override idColumn = 'couponId';

  declare couponId: string;
  declare tenantId: string;
  declare userId: string;
  declare name: string;
  declare status: 'available' | 'reserved' | 'used';
  declare orderId: string | null;
}

export class Order extends Model {
  static override tableName = 'customer_order';
  static override idColumn = 'orderId';
  static override jsonAttributes = ['earnLimitInfos', 'lines'];

  declare orderId: string;
  declare orderNo: string;
  declare tenantId: string;
  declare userId: string;
  declare title: string | null;
  declare description: string | null;
  declare totalMinor: number;
  declare grossMinor: number;
  declare tenantPoints: number;
  declare districtPoints: number;
  declare walletPoints: number;
  declare couponIds: string[];
  declare earnLimitInfos: { attribute: string; points: number }[];
  /** Fixed when the order is created. */
  declare currency: string;
  declare pointsTenantId: string;
  declare lines: PricedLine[];
  declare carrierId: string | null;
  declare carrierType: string;
  declare npoban: string | null;
  declare buyerIdentifier: string | null;
  declare buyerName: string | null;
  declare orderStatus: OrderStatus;
  declare pointsStatus: PointsStatus;
  declare paymentStatus: PaymentStatus;
  declare attempt: number;
  declare createdAt: Date;
  declare updatedAt: Date;
}

/** What a payer's key of a create stands for. */
export class OrderKey extends Model {
  static override tableName = 'order_key';
  static override idColumn = ['tenantId', 'userId', 'key'];

  declare tenantId: string;
  declare userId: string;
  declare key: string;
  declare requestHash: string;
  declare orderId: string;
  declare createdAt: Date;
}

/** The order of a row that names one. */
const ofOrder = (tableName: string) => ({
  order: {
    relation: Model.BelongsToOneRelation,
    modelClass: Order,
    join: { from: `${tableName}.orderId`, to: 'customer_order.orderId' },
  },
});

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

export class OrderTransition extends Model {
  static override tableName = 'order_transition';
  static override idColumn = 'transitionId';

  declare transitionId: number;
  declare orderId: string;
  declare attempt: number;
  declare orderStatus: OrderStatus;
  declare pointsStatus: PointsStatus;
  declare paymentStatus: PaymentStatus;
  declare at: Date;
}

export class PaymentAttempt extends Model {
  static override tableName = 'payment_attempt';
  static override idColumn = ['orderId', 'attempt'];
  static override relationMappings = () => ofOrder('payment_attempt');

  declare orderId: string;
  declare attempt: number;
  declare holdStatus: 'reserved' | 'committed' | 'released';
  declare expiresAt: Date;
  declare resultUrl: string | null;
  declare cancelUrl: string | null;
  declare shopId: string | null;
  /** How often the charge was sent. */
  declare chargeSends: number;
  declare chargeId: string | null;
  declare paymentUrl: string | null;
  declare cancelRequested: boolean;
  /** When the charge was last read from the gateway. */
  declare readAt: Date | null;
  /** When the charge is read once more although the payment has ended. */
  declare nextReadAt: Date | null;
  declare endedAt: Date | null;
  /** What the gateway shows as paid. */
  declare receivedMinor: number | null;
  declare receivedCurrency: string | null;
  declare receivedAt: Date | null;
  declare createdAt: Date;
}

/** A request for a refund without its key; null where the caller left it open. */
export type RefundWish = { [Field in Exclude<keyof RefundOrder, 'key'>]: Exclude<RefundOrder[Field], undefined> };

export class Refund extends Model {
  static override tableName = 'refund';
  static override idColumn = 'refundId';
  static override jsonAttributes = ['request'];

  /** The charge's id where its money is unaccepted. */
  declare refundId: string;
  declare tenantId: string;
  declare kind: 'unaccepted' | 'staff';
  /** Null where only points were given back. */
  declare chargeId: string | null;
  /** Null for money of an unknown order. */
  declare orderId: string | null;
  declare status: RefundStatus;
  /** Null until the charge of unaccepted money was read. */
  declare amountMinor: number | null;
  declare currency: string | null;
  declare reason: string | null;
  declare requestedBy: string | null;
  declare requestKey: string | null;
  /** What was asked for with the key. */
  declare request: RefundWish | null;
  declare restorePoints: boolean;
  declare restock: boolean;
  /** Which of its keys the gateway is asked with. */
  declare keyNumber: number;
  declare askedSince: Date;
  declare lastError: string | null;
  declare resolution: 'retry' | 'done_elsewhere' | null;
  declare resolvedBy: string | null;
  declare note: string | null;
  declare createdAt: Date;
  declare confirmedAt: Date | null;
}

export class PointAccount extends Model {
  static override tableName = 'point_account';
  static override idColumn = ['tenantId', 'userId', 'kind'];

  declare tenantId: string;
  declare userId: string;
  declare kind: PointKind;
  declare granted: number;
  declare available: number;
  declare reserved: number;
  declare committed: number;
}

export type Bucket = 'granted' | 'available' | 'reserved' | 'committed';

export class LedgerEntry extends Model {
  static override tableName = 'ledger_entry';
  static override idColumn = 'entryId';

  declare entryId: number;
  declare movement: string;
  declare bucket: Bucket;
  declare amount: number;
  declare tenantId: string;
  declare userId: string;
  declare kind: PointKind;
  declare orderId: string | null;
  /** Who granted or adjusted; null for what an order moved. */
  declare actor: string | null;
  declare reason: string | null;
  declare at: Date;
}

export class AuditEntry extends Model {
  static override tableName = 'audit_entry';
  static override idColumn = 'entryId';
  static override jsonAttributes = ['before', 'after'];

  /** A UUIDv7: entries are in the order of their ids. */
  declare entryId: string;
  declare tenantId: string;
  declare at: Date;
  declare actor: string;
  declare action: AuditAction;
  declare subjectType: AuditSubject;
  declare subjectId: string;
  declare before: Record<string, unknown> | null;
  declare after: Record<string, unknown> | null;
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
}

/** Where a tenant receives its events. */
export class Webhook extends Model {
  static override tableName = 'webhook';
  static override idColumn = 'tenantId';

  declare tenantId: string;
  declare url: string;
  /** Encrypted; the context names the tenant. */
  declare sealedSecret: string;
  declare updatedAt: Date;
}
