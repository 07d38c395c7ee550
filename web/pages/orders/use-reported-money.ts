import { useMoney } from '#web/composables/use-money.ts';

/** Amounts as the gateway reports them: an unknown currency code is shown as it is. */
export function useReportedMoney(): (reported: { amount: number; currency: string }) => string {
  const money = useMoney();
  return ({ amount, currency }) => (/^[A-Z]{3}$/.test(currency) ? money(amount, currency) : `${amount} ${currency}`);
}
