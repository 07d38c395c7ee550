import { computed } from 'vue';
import { useFormat } from '#web/composables/use-format.ts';

/** Amounts in the tenant's own currency, which is not named where nothing tells it: "1,234.50". */
export function usePlainMoney(): (amount: number) => string {
  const { tag } = useFormat();
  const format = computed(
    () => new Intl.NumberFormat(tag.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  );
  return (amount) => format.value.format(amount);
}
