import { Model } from 'objection';
import type { PricedLine } from '#domain/orders/pricing.ts';
import type { OrderStatus, PaymentStatus, PointsStatus } from '#domain/orders/states.ts';

export class Order extends Model {
  static override tableName = 'customer_order';
  static override idColumn = 'orderId';
  static override jsonAttributes = ['earnLimitInfos', 'lines'];

  declare orderId: string;
  declare orderNo: string;
  declare tenantId: string;
  declare userId: string;
  /** Null for orders from before names were kept. */
  declare payerName: string | null;
  /** An API key's actor; null where the payer created it. */
  declare createdBy: string | null;
  declare contactServiceNumberId: string | null;
  declare contactId: string | null;
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

/** What an invoice provider issued for an order. */
export class OrderInvoice extends Model {
  static override tableName = 'order_invoice';
  static override idColumn = 'orderId';

  declare orderId: string;
  declare number: string;
  declare issuedAt: Date;
  declare voidedAt: Date | null;
}

/** What staff note about an order for each other. */
export class OrderNote extends Model {
  static override tableName = 'order_note';
  static override idColumn = 'noteId';

  /** A UUIDv7: notes are in the order of their ids. */
  declare noteId: string;
  declare orderId: string;
  declare author: string;
  declare authorName: string;
  declare body: string;
  declare createdAt: Date;
}
