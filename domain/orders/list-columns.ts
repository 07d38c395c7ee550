import type { CsvColumns } from '../csv.ts';
import type { OrderData, StaffOrderData } from './responses.ts';
import { orderStatusName, paymentStatusName, pointsStatusName } from './states.ts';

type ListedOrder = OrderData & Pick<StaffOrderData, 'userId' | 'payerName' | 'flags' | 'needsStaff'>;

/** The columns of staff's list of orders as a file. Money is in units of `currency`; statuses are names. */
export const orderColumns: CsvColumns<ListedOrder> = {
  orderId: ({ orderId }) => orderId,
  orderNo: ({ orderNo }) => orderNo,
  tenantId: ({ tenantId }) => tenantId,
  title: ({ title }) => title,
  userId: ({ userId }) => userId,
  payerName: ({ payerName }) => payerName,
  orderStatus: ({ orderStatus }) => orderStatusName(orderStatus),
  pointsStatus: ({ pointsStatus }) => pointsStatusName(pointsStatus),
  paymentStatus: ({ paymentStatus }) => paymentStatusName(paymentStatus),
  moneyAmount: ({ moneyAmount }) => moneyAmount,
  grossMoneyAmount: ({ grossMoneyAmount }) => grossMoneyAmount,
  currency: ({ currency }) => currency,
  tenantPoints: ({ pointsPlan }) => pointsPlan.tenantPoints,
  districtPoints: ({ pointsPlan }) => pointsPlan.districtPoints,
  walletPoints: ({ pointsPlan }) => pointsPlan.walletPoints,
  flags: ({ flags }) => flags.join(' '),
  needsStaff: ({ needsStaff }) => needsStaff,
  createdAt: ({ createdAt }) => createdAt,
  carrierId: ({ carrierId }) => carrierId,
  npoban: ({ npoban }) => npoban,
  buyerIdentifier: ({ buyerIdentifier }) => buyerIdentifier,
  buyerName: ({ buyerName }) => buyerName,
};
