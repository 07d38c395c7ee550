/** The forms of ISO 8601 that name one instant, extended and basic: calendar, week and ordinal dates. */
const FORMS = [
  /^(?<year>\d{4})-(?:(?<month>\d\d)-(?<day>\d\d)|W(?<week>\d\d)-(?<weekday>\d)|(?<ordinal>\d{3}))[Tt](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?<zone>[Zz]|[+-]\d\d(?::?\d\d)?)$/,
  /^(?<year>\d{4})(?:(?<month>\d\d)(?<day>\d\d)|W(?<week>\d\d)(?<weekday>\d)|(?<ordinal>\d{3}))[Tt](?<hour>\d\d)(?<minute>\d\d)(?:(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?<zone>[Zz]|[+-]\d\d(?::?\d\d)?)$/,
];

type Parts = Record<string, string | undefined>;

const DAY_MS = 86_400_000;

/** Midnight of a day by its number in the year, which may be beyond it. Years below 100 are those that are written. */
const dayOf = (year: number, month: number, day: number): Date => {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
};

/** Monday of week 1, which has the year's first Thursday. */
function firstMonday(year: number): number {
  const fourth = dayOf(year, 0, 4);
  return fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS;
}

/** Midnight of the date; undefined if there is no such day. */
function midnightOf({ year: text, month, day, week, weekday, ordinal }: Parts): number | undefined {
  const year = Number(text);
  if (month !== undefined) {
    const date = dayOf(year, Number(month) - 1, Number(day));
    return date.getUTCMonth() === Number(month) - 1 && Number(day) > 0 ? date.getTime() : undefined;
  }
  if (ordinal !== undefined) {
    const date = dayOf(year, 0, Number(ordinal));
    return date.getUTCFullYear() === year && Number(ordinal) > 0 ? date.getTime() : undefined;
  }
  if (Number(week) < 1 || Number(weekday) < 1 || Number(weekday) > 7) return undefined;
  const date = firstMonday(year) + ((Number(week) - 1) * 7 + Number(weekday) - 1) * DAY_MS;
  return date < firstMonday(year + 1) ? date : undefined;
}

/** Seconds since midnight; 24:00 is the next day's, and a leap second the one after it. Undefined if there is no such time. */
function secondsOf({ hour, minute, second = '00', fraction = '' }: Parts): number | undefined {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (minutes > 59 || seconds > 60 || hours > 24) return undefined;
  if (hours === 24 && (minutes > 0 || seconds > 0 || Number(fraction) > 0)) return undefined;
  return hours * 3600 + minutes * 60 + seconds;
}

/** Minutes east of Greenwich; undefined for what PostgreSQL does not take: a zone of 16 hours or more. */
function offsetOf(zone: string): number | undefined {
  if (/^[Zz]$/.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  if (hours > 15 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * A time in any complete form of ISO 8601 that names one instant, in UTC and with the digits of its fraction up to
 * microseconds; other text is returned unchanged.
 */
export function instantOf(given: string): string {
  const parts: Parts | undefined = FORMS.map((form) => form.exec(given)?.groups).find(Boolean);
  if (!parts) return given;
  const [midnight, seconds, offset] = [midnightOf(parts), secondsOf(parts), offsetOf(parts['zone'] ?? '')];
  if (midnight === undefined || seconds === undefined || offset === undefined) return given;
  const instant = new Date(midnight + seconds * 1000 - offset * 60_000);
  const year = instant.getUTCFullYear();
  if (year < 0 || year > 9999) return given;
  const fraction = (parts['fraction'] ?? '').slice(0, 6);
  return `${instant.toISOString().slice(0, 19)}${fraction ? `.${fraction}` : ''}Z`;
}
