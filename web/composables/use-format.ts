import { useNow } from '@vueuse/core';
import { computed } from 'vue';
import { shareText } from '../numbers/share.ts';
import { cityOf } from '../time/cities.ts';
import { usePreferences } from './use-preferences.ts';

const preferences = usePreferences();

/** Intl's names: English as written in most of the world, Chinese as in Taiwan. */
const tags = { en: 'en-GB', 'zh-Hant': 'zh-Hant-TW' } as const;

const now = useNow({ interval: 15_000 });

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();

function relativeFormat(languageTag: string): Intl.RelativeTimeFormat {
  const format = relativeFormats.get(languageTag) ?? new Intl.RelativeTimeFormat(languageTag, { numeric: 'auto' });
  relativeFormats.set(languageTag, format);
  return format;
}

/** Intl has only "now". */
const justNow: Readonly<Record<string, string>> = { 'en-GB': 'just now', 'zh-Hant-TW': '剛剛' };

/** "3 hours ago", "in 2 days", "just now". */
export function relativeTime(at: Date, from: Date, languageTag: string): string {
  const format = relativeFormat(languageTag);
  const seconds = (at.getTime() - from.getTime()) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return justNow[languageTag] ?? format.format(0, 'second');
}

/** "3d 14h": the two largest units of a duration, for sentences about waiting. */
export function span(milliseconds: number, languageTag: string): string {
  let rest = Math.max(0, Math.round(milliseconds / 1000));
  const parts: string[] = [];
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 && parts.length < 2) {
      parts.push(new Intl.NumberFormat(languageTag, { style: 'unit', unit, unitDisplay: 'narrow' }).format(count));
    } else if (parts.length > 0) break;
  }
  return (
    parts.join(' ') ||
    new Intl.NumberFormat(languageTag, { style: 'unit', unit: 'second', unitDisplay: 'narrow' }).format(0)
  );
}

const tag = computed(() => tags[preferences.locale]);

function dateTimes(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(tag.value, {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

// Shared by all callers: creating a formatter takes longer than rendering the list row that needs it.
const numbers = computed(() => new Intl.NumberFormat(tag.value));
const local = computed(() => dateTimes(preferences.zone));
const utc = computed(() => dateTimes('UTC'));

/** Numbers and times in the chosen language and zone; everything returned follows a change of either. */
export function useFormat() {
  return {
    tag,
    now,
    number: (value: number) => numbers.value.format(value),
    percent: (part: number, whole: number) => shareText(part, whole, tag.value),
    dateTime: (at: string | Date) => local.value.format(new Date(at)),
    dateTimeIn: (at: string | Date, zone: string) => dateTimes(zone).format(new Date(at)),
    utcDateTime: (at: string | Date) => `${utc.value.format(new Date(at))} UTC`,
    clock: (at: string | Date, zone: string) =>
      new Intl.DateTimeFormat(tag.value, {
        timeZone: zone,
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }).format(new Date(at)),
    relative: (at: string | Date) => relativeTime(new Date(at), now.value, tag.value),
    city: (zone: string) => cityOf(zone, preferences.locale),
    span: (milliseconds: number) => span(milliseconds, tag.value),
  };
}

/** "GMT+8": the offset of a zone at a point in time. */
export function offsetOf(zone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(at);
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? '').replace('GMT', 'UTC');
}
