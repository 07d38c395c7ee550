import { expect } from 'chai';
import fc from 'fast-check';
import type { RepeatCalendar } from '#domain/api/repeats.ts';
import { nextOccurrences } from './calendar.ts';
import { parseCron } from './cron.ts';
import { wallOf } from '../wall-clock.ts';
import { timesOf } from '#test/support/extent.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Hong_Kong',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'Asia/Kathmandu',
];

const pad = (number: number) => String(number).padStart(2, '0');
const hourly: RepeatCalendar = { type: 'cron', expression: '30 * * * *' };
const daily = (at: string): RepeatCalendar => ({ type: 'daily', at });

const times = (calendar: RepeatCalendar, zone: string, after: string, count: number) =>
  nextOccurrences(calendar, zone, new Date(after), count).map(
    ({ localTime, at }) => `${localTime} ${at.toISOString().slice(0, 16)}Z`,
  );

/** The first minute from `from` on in which clocks show a wall time, or more than it, minute by minute. */
function firstMinute(wall: number, zone: string, from: number): number {
  let at = from;
  while (wallOf(at, zone) < wall) at += MINUTE;
  return at;
}

describe('the times of a repeat', () => {
  it('come once where clocks skip them, at the first moment after the gap', () => {
    expect(times(daily('02:30'), 'Europe/Berlin', '2026-03-27T12:00:00Z', 3)).to.deep.equal([
      '2026-03-28T02:30 2026-03-28T01:30Z',
      '2026-03-29T02:30 2026-03-29T01:00Z',
      '2026-03-30T02:30 2026-03-30T00:30Z',
    ]);
    expect(times(daily('02:15'), 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 1)).to.deep.equal([
      '2026-10-04T02:15 2026-10-03T15:30Z',
    ]);
    // Samoa had no December 30, 2011.
    expect(times(daily('09:00'), 'Pacific/Apia', '2011-12-29T20:00:00Z', 2)).to.deep.equal([
      '2011-12-30T09:00 2011-12-30T10:00Z',
      '2011-12-31T09:00 2011-12-30T19:00Z',
    ]);
  });

  it('come once where clocks show them twice, the first time', () => {
    expect(times(daily('01:30'), 'America/New_York', '2026-10-31T12:00:00Z', 2)).to.deep.equal([
      '2026-11-01T01:30 2026-11-01T05:30Z',
      '2026-11-02T01:30 2026-11-02T06:30Z',
    ]);
    expect(times(daily('01:45'), 'Australia/Lord_Howe', '2026-04-04T00:00:00Z', 2)).to.deep.equal([
      '2026-04-05T01:45 2026-04-04T14:45Z',
      '2026-04-06T01:45 2026-04-05T15:15Z',
    ]);
    // Asked in the second of the two hours, it is the next day.
    expect(times(daily('01:30'), 'America/New_York', '2026-11-01T06:00:00Z', 1)).to.deep.equal([
      '2026-11-02T01:30 2026-11-02T06:30Z',
    ]);
  });

  it('that a gap moves to the same moment come together, once', () => {
    const top: RepeatCalendar = { type: 'cron', expression: '0 * * * *' };
    expect(times(top, 'Europe/Berlin', '2026-03-29T00:30:00Z', 2)).to.deep.equal([
      '2026-03-29T02:00 2026-03-29T01:00Z',
      '2026-03-29T04:00 2026-03-29T02:00Z',
    ]);
  });

  it('are those of a clock that is watched minute by minute, in every zone and year', () => {
    const moments = fc.integer({ min: Date.UTC(1990, 0, 1) / MINUTE, max: Date.UTC(2037, 0, 1) / MINUTE });
    const cases = fc.record({
      zone: fc.constantFrom(...zones),
      after: moments,
      // Most changes of clocks are at night.
      minute: fc.oneof(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 0, max: 1439 })),
    });
    fc.assert(
      fc.property(cases, ({ zone, after, minute }) => {
        const start = after * MINUTE;
        const at = `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
        const [next] = nextOccurrences(daily(at), zone, new Date(start), 1);
        const today = Math.floor(wallOf(start, zone) / DAY) * DAY;
        const wanted = [0, 1, 2]
          .map((days) => firstMinute(today + days * DAY + minute * MINUTE, zone, start - 2 * DAY))
          .find((moment) => moment > start);
        expect(next?.at.getTime()).to.equal(wanted);
      }),
      { numRuns: timesOf(15, 60) },
    );
  });

  it('never show the same wall time twice, nor the same moment, across every change of clocks', () => {
    for (const zone of zones) {
      const found = nextOccurrences(hourly, zone, new Date(Date.UTC(2026, 0, 1)), 8800);
      expect(new Set(found.map(({ localTime }) => localTime)).size).to.equal(found.length);
      expect(found.every(({ at }, index) => index === 0 || at > (found[index - 1]?.at ?? at))).to.equal(true);
    }
  });

  it('are on the days of the week or the month, the last where a month is shorter', () => {
    const weekly: RepeatCalendar = { type: 'weekly', days: [1, 7], at: '09:00' };
    expect(times(weekly, 'UTC', '2026-11-26T00:00:00Z', 3).map((time) => time.slice(0, 10))).to.deep.equal([
      '2026-11-29',
      '2026-11-30',
      '2026-12-06',
    ]);
    const monthly: RepeatCalendar = { type: 'monthly', day: 31, at: '09:00' };
    expect(times(monthly, 'UTC', '2028-01-31T10:00:00Z', 3).map((time) => time.slice(0, 10))).to.deep.equal([
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
    ]);
  });

  it('are those of a cron expression, either day fitting where both are given', () => {
    const cron = (expression: string, count: number) =>
      times({ type: 'cron', expression }, 'UTC', '2026-11-26T00:00:00Z', count).map((time) => time.slice(0, 16));
    expect(cron('15 8-10/2 * * 1-5', 3)).to.deep.equal(['2026-11-26T08:15', '2026-11-26T10:15', '2026-11-27T08:15']);
    expect(cron('0 9 1 * 5', 3)).to.deep.equal(['2026-11-27T09:00', '2026-12-01T09:00', '2026-12-04T09:00']);
    expect(cron('0 9 29 2 *', 1)).to.deep.equal(['2028-02-29T09:00']);
    expect(cron('0 9 31 2 *', 1)).to.deep.equal([]);
    const malformed = [
      '* 9 * * *',
      '0,30 9 * * *',
      '60 9 * * *',
      '0 24 * * *',
      '0 9 0 * *',
      '0 9 * * 8',
      '0 9-7 * * *',
    ];
    for (const expression of [...malformed, '0 9 * *', '0 9 * * * *', '0 9/0 * * *', '', '0 x * * *'])
      expect(parseCron(expression), expression).to.equal(null);
  });
});
