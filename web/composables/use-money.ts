import { useRoute } from 'vue-router';
import { useFormat } from './use-format.ts';

/** The sign that names a currency everywhere: Taiwan's dollar is "NT$" in Taipei, too. */
const signOf = (currency: string): string =>
  new Intl.NumberFormat('en-CA', { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

/**
 * Amounts in the chosen language: for staff, who tell currencies apart, with their code, "TWD 1,234.50"; for payers as prices are
 * written, "NT$480".
 */
export function useMoney(): (amount: number, currency: string) => string {
  const { tag } = useFormat();
  const { meta } = useRoute();
  const formatters = new Map<string, (amount: number) => string>();

  function formatterOf(currency: string): (amount: number) => string {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    const named = { style: 'currency', currency, ...digits } as const;
    if (!meta.payer) {
      const format = new Intl.NumberFormat(tag.value, { ...named, currencyDisplay: 'code' });
      return (amount) => format.format(amount);
    }
    const sign = signOf(currency);
    const format = new Intl.NumberFormat(tag.value, { ...named, trailingZeroDisplay: 'stripIfInteger' });
    return (amount) =>
      format
        .formatToParts(amount)
        .map(({ type, value }) => (type === 'currency' ? sign : value))
        .join('');
  }
  return (amount, currency) => {
    const key = `${tag.value} ${currency}`;
    const formatter = formatters.get(key) ?? formatterOf(currency);
    formatters.set(key, formatter);
    return formatter(amount);
  };
}
