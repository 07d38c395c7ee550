import type { CreateOrder } from '#domain/orders/requests.ts';
import type { OrderData } from '#domain/orders/responses.ts';
import { orderStatus } from '#domain/orders/states.ts';

/** The points and coupons that a payer wants to use. District points pay for no goods. */
export interface Choice {
  tenantPoints: number;
  walletPoints: number;
  couponIds: string[];
}

export const nothingChosen: Choice = { tenantPoints: 0, walletPoints: 0, couponIds: [] };

export const isNothing = ({ tenantPoints, walletPoints, couponIds }: Choice): boolean =>
  tenantPoints + walletPoints + couponIds.length === 0;

export const choiceOf = ({ pointsPlan }: Pick<OrderData, 'pointsPlan'>): Choice => ({
  tenantPoints: pointsPlan.tenantPoints,
  walletPoints: pointsPlan.walletPoints,
  couponIds: pointsPlan.couponIds,
});

/**
 * The amounts of an order are fixed, so choosing makes a new one. It is offered for goods whose order left the choice
 * open, and again for orders that this checkout made (`chosenHere`).
 */
export function isChoosable(order: OrderData, chosenHere: boolean): boolean {
  const isOpen = isNothing(choiceOf(order)) && order.pointsPlan.districtPoints === 0;
  return order.orderStatus === orderStatus.CREATED && order.items.length > 0 && (isOpen || chosenHere);
}

/** The same order with other means; its amounts are for the service to compute. */
export function orderWith(order: OrderData, choice: Choice): CreateOrder {
  const { tenantId, title, description, carrierId, npoban, buyerIdentifier, buyerName } = order;
  return {
    tenantId,
    title,
    description,
    items: order.items.map(({ goodsId, qty, paymentOptionId }) => ({ goodsId, qty, paymentOptionId })),
    pointsPlan: { ...choice },
    carrierId,
    npoban,
    buyerIdentifier,
    buyerName,
  };
}

/**
 * The same order once more, with the same points. Its amounts are for the service to compute; one without goods costs
 * what its shop said.
 */
export function orderAgain(order: OrderData): CreateOrder {
  const { items, pointsPlan, grossMoneyAmount, totalMoney } = order;
  const again = { ...orderWith(order, choiceOf(order)), pointsPlan };
  if (items.length > 0) return again;
  const { items: _, ...alone } = again;
  return grossMoneyAmount > 0 ? { ...alone, grossMoneyAmount, moneyAmount: totalMoney } : alone;
}

export const isSame = (one: Choice, other: Choice): boolean => JSON.stringify(one) === JSON.stringify(other);
