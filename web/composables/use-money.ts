import { inject, type InjectionKey, provide } from 'vue';
import { useFormat } from './use-format.ts';

const style: InjectionKey<'payer'> = Symbol('style of amounts');

/** All below this component shows amounts as prices are written: "NT$480". Staff tell currencies apart by their codes. */
export const showPrices = (): void => provide(style, 'payer');

/** The sign that names a currency everywhere: Taiwan's dollar is "NT$" in Taipei, too. */
const signOf = (currency: string): string =>
  new Intl.NumberFormat('en-CA', { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

/** Amounts in the chosen language, with their currency's code: "TWD 1,234.50". */
export function useMoney(): (amount: number, currency: string) => string {
  const { tag } = useFormat();
  const isPayer = inject(style, null) === 'payer';
  const formatters = new Map<string, (amount: number) => string>();

  function formatterOf(currency: string): (amount: number) => string {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    const named = { style: 'currency', currency, ...digits } as const;
    if (!isPayer) {
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
