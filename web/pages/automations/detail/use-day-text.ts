import { useFormat } from '#web/composables/use-format.ts';

/** A day of UTC, as "Tue 24 Nov 2026". */
export function useDayText(): (date: string) => string {
  const { tag } = useFormat();
  return (date) =>
    new Intl.DateTimeFormat(tag.value, {
      timeZone: 'UTC',
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    }).format(new Date(`${date}T00:00Z`));
}
