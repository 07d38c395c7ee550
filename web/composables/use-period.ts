import { computed, type ComputedRef } from 'vue';
import { useRoute } from 'vue-router';
import { addDays, isDay, startOfDay, wallClockOf } from '../time/zone.ts';
import { useAddressChange } from './use-address-query.ts';
import { useFormat } from './use-format.ts';
import { usePreferences } from './use-preferences.ts';

/** Days of the chosen zone, as 2026-11-24, both included. */
export interface Days {
  from: string;
  to: string;
}

/** Preset lengths, in days up to today. */
export const presets = [7, 30, 90] as const;

/** The days that an address names; null unless both exist and are in order. */
export function daysOf(query: Record<string, unknown>): Days | null {
  const { from, to } = query;
  return isDay(from) && isDay(to) && from <= to ? { from, to } : null;
}

export function lastDays(count: number, today: string): Days {
  return { from: addDays(today, 1 - count), to: today };
}

/** Which preset two days are, if any. */
export function presetOf(days: Days | null, today: string): (typeof presets)[number] | undefined {
  return presets.find((count) => days?.to === today && days.from === addDays(today, 1 - count));
}

/** [from, to) of days in a zone: from the start of the first to the start of the day after the last. */
export function instantsOfDays({ from, to }: Days, zone: string): { from: string; to: string } | null {
  const begin = startOfDay(from, zone);
  const end = startOfDay(addDays(to, 1), zone);
  return begin && end ? { from: begin.toISOString(), to: end.toISOString() } : null;
}

export interface ChosenPeriod {
  today: ComputedRef<string>;
  days: ComputedRef<Days | null>;
  /** [from, to) as the API takes it; null for any time. */
  range: ComputedRef<{ from: string; to: string } | null>;
  choose: (days: Days | null) => void;
}

/**
 * The period in the address (`?from=2026-11-18&to=2026-11-24`), of days of the chosen zone. Without one it is the last
 * `fallback` days, or any time where there is no fallback. PeriodFilter changes it.
 */
export function usePeriod({ fallback }: { fallback?: number } = {}): ChosenPeriod {
  const route = useRoute();
  const change = useAddressChange();
  const { now } = useFormat();
  const preferences = usePreferences();
  const today = computed(() => wallClockOf(now.value, preferences.zone).date);
  const days = computed(() => daysOf(route.query) ?? (fallback === undefined ? null : lastDays(fallback, today.value)));
  return {
    today,
    days,
    range: computed(() => days.value && instantsOfDays(days.value, preferences.zone)),
    choose: (chosen) => change({ from: chosen?.from, to: chosen?.to }),
  };
}
