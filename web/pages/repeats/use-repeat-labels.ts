import { useI18n } from 'vue-i18n';
import type { Repeat, RepeatRun } from '#domain/api/repeats.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { usePreferences } from '#web/composables/use-preferences.ts';

/** Monday is 1. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** Words for calendars, ends and runs. */
export function useRepeatLabels() {
  const { t, te } = useI18n();
  const { city, number, dateTime } = useFormat();
  const preferences = usePreferences();

  /** January 5, 1970, was a Monday. */
  function weekday(day: number): string {
    const date = new Date(Date.UTC(1970, 0, 4 + day));
    return new Intl.DateTimeFormat(preferences.locale, { weekday: 'long', timeZone: 'UTC' }).format(date);
  }
  const listOf = (days: readonly number[]) =>
    new Intl.ListFormat(preferences.locale, { type: 'conjunction' }).format(days.toSorted().map((day) => weekday(day)));

  function calendarOf({ calendar, zone }: Pick<Repeat, 'calendar' | 'zone'>): string {
    const where = { city: city(zone) };
    switch (calendar.type) {
      case 'daily':
        return t('repeats.calendar.daily', { ...where, at: calendar.at });
      case 'weekly':
        return t('repeats.calendar.weekly', { ...where, at: calendar.at, days: listOf(calendar.days) });
      case 'monthly':
        return t('repeats.calendar.monthly', { ...where, at: calendar.at, day: calendar.day });
      case 'cron':
        return t('repeats.calendar.cron', { ...where, expression: calendar.expression });
    }
  }
  function endOf({ until, maxRuns }: Pick<Repeat, 'until' | 'maxRuns'>): string {
    if (until !== null) return t('repeats.ends.untilWhen', { when: dateTime(until) });
    return maxRuns === null ? t('repeats.ends.never') : t('repeats.ends.after', { count: number(maxRuns) }, maxRuns);
  }
  /** Why a run made no campaign; empty if there is nothing to say. */
  function reasonOf({ outcome, reason }: Pick<RepeatRun, 'outcome' | 'reason'>): string {
    if (outcome !== 'refused') return te(`repeats.why.${outcome}`) ? t(`repeats.why.${outcome}`) : '';
    const key = `repeats.refused.${reason ?? ''}`;
    return te(key) ? t(key) : t('repeats.refused.other', { code: reason ?? '' });
  }
  return { weekday, calendarOf, endOf, reasonOf };
}
