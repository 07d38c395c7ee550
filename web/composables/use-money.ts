import { useFormat } from './use-format.ts';

/** Amounts in the chosen language, with their currency's code: "TWD 1,234.50". */
export function useMoney(): (amount: number, currency: string) => string {
  const { tag } = useFormat();
  const formatters = new Map<string, Intl.NumberFormat>();
  return (amount, currency) => {
    const key = `${tag.value} ${currency}`;
    const formatter =
      formatters.get(key) ??
      new Intl.NumberFormat(tag.value, {
        style: 'currency',
        currency,
        currencyDisplay: 'code',
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      });
    formatters.set(key, formatter);
    return formatter.format(amount);
  };
}
