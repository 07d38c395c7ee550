import { computed } from 'vue';
import { useFormat } from '#web/composables/use-format.ts';

/** Changes with their sign: "+40", "-3". */
export function useSigned(): (change: number) => string {
  const { tag } = useFormat();
  const format = computed(() => new Intl.NumberFormat(tag.value, { signDisplay: 'exceptZero' }));
  return (change) => format.value.format(change);
}
