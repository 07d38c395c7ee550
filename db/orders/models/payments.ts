import { Model } from 'objection';
import { Order } from './orders.ts';

export class PaymentAttempt extends Model {
  static override tableName = 'payment_attempt';
  static override idColumn = ['orderId', 'attempt'];
  static override relationMappings = () => ({
    order: {
      relation: Model.BelongsToOneRelation,
      modelClass: Order,
      join: { from: 'payment_attempt.orderId', to: 'customer_order.orderId' },
    },
  });

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
  /** When the first of the reads that have failed since the last success was due. */
  declare readDueAt: Date | null;
  declare endedAt: Date | null;
  /** What the gateway shows as paid. */
  declare receivedMinor: number | null;
  declare receivedCurrency: string | null;
  declare receivedAt: Date | null;
  /** Where the latest send of the charge belongs in a trace; null without traces. */
  declare traceParent: string | null;
  declare createdAt: Date;
}
