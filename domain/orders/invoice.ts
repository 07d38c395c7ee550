import { z } from 'zod';
import { text, timestamp } from '../api/primitives.ts';
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

/** What a provider issued for an order, as staff enter it. What is missing stays as it is. */
export const changeInvoiceSchema = z
  .object({
    number: z
      .string()
      .regex(/^[\x20-\x7e]{1,64}$/, 'must be 1 to 64 printable characters')
      .nullish(),
    issuedAt: timestamp.nullish(),
    /** Null: it is not voided. */
    voidedAt: timestamp.nullish(),
  })
  .meta({ id: 'ChangeInvoice' });
export type ChangeInvoice = z.infer<typeof changeInvoiceSchema>;

export const invoiceSchema = z.object({
  number: z.string(),
  issuedAt: timestamp,
  voidedAt: timestamp.nullable(),
});
export type InvoiceData = z.infer<typeof invoiceSchema>;

export interface Invoice {
  number: string;
  issuedAt: Date;
  voidedAt: Date | null;
}

export const presentInvoice = ({ number, issuedAt, voidedAt }: Invoice): InvoiceData => ({
  number,
  issuedAt: issuedAt.toISOString(),
  voidedAt: voidedAt?.toISOString() ?? null,
});

export type InvoiceChange =
  | { kind: 'changed'; invoice: Invoice }
  /** There is another invoice, which has to be voided first. */
  | { kind: 'not_voided' }
  /** `path` is a JSON pointer such as `/issuedAt`. */
  | { kind: 'malformed'; path: string; message: string };

const malformed = (path: string, message: string): InvoiceChange => ({ kind: 'malformed', path, message });

/** The invoice of an order after a change. Another number is another invoice, of which nothing is known yet. */
export function changedInvoice(before: Invoice | null, change: ChangeInvoice): InvoiceChange {
  const number = change.number ?? before?.number;
  if (number === undefined) return malformed('/number', 'is required');
  const isNew = number !== before?.number;
  if (before && isNew && before.voidedAt === null) return { kind: 'not_voided' };
  const present = isNew ? null : before;
  const issuedAt = change.issuedAt ? new Date(change.issuedAt) : present?.issuedAt;
  if (!issuedAt) return malformed('/issuedAt', 'is required');
  const voided = change.voidedAt && new Date(change.voidedAt);
  const voidedAt = voided === undefined ? (present?.voidedAt ?? null) : voided || null;
  if (voidedAt && voidedAt < issuedAt) return malformed('/voidedAt', 'must not be before issuedAt');
  return { kind: 'changed', invoice: { number, issuedAt, voidedAt } };
}
