import type { OrderRow } from '#db/orders/orders.ts';
import type { OrderData, PayData } from '#domain/orders/responses.ts';
import { lineIdOf } from '#domain/orders/lines.ts';
import { fromMinor } from '#domain/orders/money.ts';
import type { PaymentState } from '#domain/orders/payment.ts';
import { DISPUTED, orderStatus } from '#domain/orders/states.ts';

/** What the gateway shows as paid for a charge. */
export function presentReceived({
  chargeId,
  receivedMinor,
  receivedCurrency,
  receivedAt,
}: Pick<OrderRow, 'chargeId' | 'receivedMinor' | 'receivedCurrency' | 'receivedAt'>): OrderData['received'] {
  if (chargeId === null || receivedMinor === null || receivedCurrency === null || receivedAt === null) return null;
  return { chargeId, amount: fromMinor(receivedMinor), currency: receivedCurrency, at: receivedAt.toISOString() };
}

const presentItems = ({ lines, refundedPieces }: OrderRow): OrderData['items'] =>
  lines.map(({ goodsId, name, qty, paymentOptionId, point, points, cashMinor }, index) => {
    const lineId = lineIdOf(index);
    return {
      lineId,
      goodsId,
      name,
      qty,
      refundedQty: refundedPieces[lineId] ?? 0,
      paymentOptionId,
      point,
      points,
      moneyAmount: fromMinor(cashMinor),
    };
  });

/** An order as its payer sees it; nulls in the points plan become 0 and []. */
export function presentOrder(order: OrderRow): OrderData {
  return {
    orderId: order.orderId,
    orderNo: order.orderNo,
    tenantId: order.tenantId,
    tenantName: order.tenantName,
    title: order.title,
    description: order.description,
    moneyAmount: fromMinor(order.totalMinor),
    grossMoneyAmount: fromMinor(order.grossMinor),
    totalMoney: fromMinor(order.totalMinor),
    currency: order.currency,
    pointsPlan: {
      tenantPoints: order.tenantPoints,
      districtPoints: order.districtPoints,
      walletPoints: order.walletPoints,
      couponIds: order.couponIds,
      earnLimitInfos: order.earnLimitInfos,
    },
    items: presentItems(order),
    carrierId: order.carrierId,
    carrierType: order.carrierType,
    npoban: order.npoban,
    buyerIdentifier: order.buyerIdentifier,
    buyerName: order.buyerName,
    orderStatus: order.orderStatus,
    pointsStatus: order.pointsStatus,
    paymentStatus: order.paymentStatus,
    paymentUrl: order.paymentUrl,
    resultURL: order.resultUrl,
    cancelURL: order.cancelUrl,
    expiresAt: order.expiresAt?.toISOString() ?? null,
    underReview: order.orderStatus === orderStatus.PAYMENT_PENDING && order.flags.some((flag) => flag !== DISPUTED),
    received: presentReceived(order),
    createdAt: order.createdAt.toISOString(),
  };
}

/** An order's payment as a pay or cancel shows it. */
export function presentPayment(state: PaymentState): PayData {
  return {
    orderId: state.orderId,
    orderNo: state.orderNo,
    paymentUrl: state.paymentUrl,
    orderStatus: state.orderStatus,
    pointsStatus: state.pointsStatus,
    paymentStatus: state.paymentStatus,
  };
}
