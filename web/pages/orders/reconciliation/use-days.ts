import { computed } from 'vue';
import { useFormat } from '#web/composables/use-format.ts';

/** Days in UTC, as the gateway's books have them. */
export function useDays() {
  const { tag, now } = useFormat();
  const format = computed(
    () =>
      new Intl.DateTimeFormat(tag.value, {
        timeZone: 'UTC',
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        year: 'numeric',
      }),
  );
  return {
    dayText: (date: string): string => {
      const at = Date.parse(date);
      return Number.isNaN(at) ? date : format.value.format(at);
    },
    today: computed(() => now.value.toISOString().slice(0, 10)),
  };
}
