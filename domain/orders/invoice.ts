import { z } from 'zod';
import { text } from '../api/primitives.ts';
import type { OrderErrorCode } from './codes.ts';

/** The invoice data of an order. S1: the server sets the type of every carrier. */
export const CARRIER_TYPE = '3J0002';

const invoiceText = text(2000);

/** The invoice part of a create request. */
export const invoiceFields = {
  carrierId: invoiceText.nullish(),
  npoban: invoiceText.regex(/^\d{3,8}$/, 'must be 3 to 8 digits').nullish(),
  buyerIdentifier: invoiceText.regex(/^\d{8}$/, 'must be 8 digits').nullish(),
  buyerName: invoiceText.nullish(),
};

/** The same, as shown in responses. */
export const shownInvoiceFields = {
  carrierId: z.string().nullable(),
  carrierType: z.string(),
  npoban: z.string().nullable(),
  buyerIdentifier: z.string().nullable(),
  buyerName: z.string().nullable(),
};

/** `/` and 7 printable ASCII characters. */
const CARRIER = /^\/[\x20-\x7e]{7}$/;

/** 90044 if there is a carrier in another format. */
export function invalidCarrier(carrierId: string | null): OrderErrorCode | null {
  return carrierId === null || CARRIER.test(carrierId) ? null : 90044;
}
