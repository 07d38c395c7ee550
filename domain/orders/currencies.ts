import { z } from 'zod';

/**
 * Codes of ISO 4217 with other than two decimals (list one of 2024, without precious metals, funds and test codes): with none, three or four.
 */
const otherDecimals = new Set(
  (
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF BHD IQD JOD KWD LYD OMR TND CLF UYW ' +
    'XAG XAU XPD XPT XBA XBB XBC XBD XDR XSU XTS XUA XXX'
  ).split(' '),
);

/** Every code that the runtime's own ISO 4217 data knows, in use today and with two decimals. */
const known = new Set(Intl.supportedValuesOf('currency'));

/** Whether amounts of this currency have two decimals, as every amount here has. */
export const hasTwoDecimals = (code: string): boolean => known.has(code) && !otherDecimals.has(code);

export const currencySchema = z
  .string()
  .refine(hasTwoDecimals, 'must be an ISO 4217 code of a currency with two decimals');
