import { z } from 'zod';

/**
 * The codes of ISO 4217, list one, with two decimals, without funds (BOV, CHE, CHW, COU, MXV, USN): nobody pays with
 * them. A list of our own, because the runtime's knows withdrawn currencies and changes with its version.
 */
const twoDecimals = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP ' +
    'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
    'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
    'NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB ' +
    'TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG'
  ).split(' '),
);

/** Whether amounts of this currency have two decimals, as every amount here has. */
const hasTwoDecimals = (code: string): boolean => twoDecimals.has(code);

export const currencySchema = z
  .string()
  .refine(hasTwoDecimals, 'must be an ISO 4217 code of a currency with two decimals');
