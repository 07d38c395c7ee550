import { expect } from 'chai';
import fc from 'fast-check';
import type { QuietHours } from '#domain/api/pace.ts';
import { deadlineOf, dueAfter, dueOf, type PacedSend } from './due.ts';
import { afterOpenTime, forecastOf, nextDue, openTimeBetween, subTaskSize } from './pace.ts';
import { isQuiet, nextChange, nextOpen } from './quiet-hours.ts';

const MINUTE = 60_000;
const at = (text: string) => new Date(text);
const night: QuietHours = { from: '21:00', to: '08:00', zone: 'Asia/Taipei' };

/** Zones whose clocks change by an hour, by half an hour, at midnight and not at all. */
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Taipei', 'UTC'];
const reading = fc
  .integer({ min: 0, max: 1439 })
  .map((one) => `${String(Math.floor(one / 60)).padStart(2, '0')}:${String(one % 60).padStart(2, '0')}`);
const quietHours = fc
  .record({ from: reading, to: reading, zone: fc.constantFrom(...zones) })
  .filter(({ from, to }) => from !== to);
/** Half of them within days of a change of the clocks somewhere. */
const changes = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-04-24',
  '2026-10-04',
  '2026-10-25',
  '2026-10-29',
  '2026-11-01',
];
const moment = fc.oneof(
  fc.date({ min: at('2026-01-01'), max: at('2027-01-01'), noInvalidDate: true }),
  fc
    .record({ day: fc.constantFrom(...changes), hours: fc.integer({ min: -24 * 60, max: 48 * 60 }) })
    .map(({ day, hours }) => new Date(at(day).getTime() + hours * MINUTE)),
);

describe('quiet hours', () => {
  it('are of the clocks of their zone, across midnight', () => {
    expect(isQuiet(night, at('2026-11-25T20:59:59+08:00'))).to.equal(false);
    expect(isQuiet(night, at('2026-11-25T21:00:00+08:00'))).to.equal(true);
    expect(nextOpen(night, at('2026-11-25T23:10:00+08:00'))).to.deep.equal(at('2026-11-26T08:00:00+08:00'));
  });

  it('end when the clocks go forward over their end, and are an hour longer when they go back', () => {
    const berlin = { zone: 'Europe/Berlin' };
    const skipped = nextOpen({ ...berlin, from: '22:00', to: '02:30' }, at('2026-03-28T23:00:00+01:00'));
    expect(skipped).to.deep.equal(at('2026-03-29T03:00:00+02:00'));
    const doubled = nextOpen({ ...berlin, from: '22:00', to: '08:00' }, at('2026-10-24T23:00:00+02:00'));
    expect(doubled).to.deep.equal(at('2026-10-25T08:00:00+01:00'));
  });

  it('change at the first minute that differs, whatever the clocks do', () => {
    fc.assert(
      fc.property(quietHours, moment, (quiet, from) => {
        const change = nextChange(quiet, from);
        const was = isQuiet(quiet, from);
        expect(change.getTime()).to.be.greaterThan(from.getTime());
        expect(isQuiet(quiet, change)).to.equal(!was);
        const first = Math.floor(from.getTime() / MINUTE) + 1;
        for (let minute = first; minute * MINUTE < change.getTime(); minute += 1)
          if (isQuiet(quiet, new Date(minute * MINUTE)) !== was) expect.fail(new Date(minute * MINUTE).toISOString());
      }),
      { numRuns: 150 },
    );
  });

  it('take as much time out of a wait as they last', () => {
    fc.assert(
      fc.property(quietHours, moment, fc.integer({ min: 0, max: 300 }), (quiet, from, minutes) => {
        const until = afterOpenTime(quiet, from, minutes * MINUTE);
        expect(isQuiet(quiet, until)).to.equal(false);
        expect(openTimeBetween(quiet, from, until)).to.equal(minutes * MINUTE);
      }),
      { numRuns: 150 },
    );
  });
});

/** Submits a send sub-task by sub-task as it is due. */
function submitAll(pace: PacedSend['pace'], start: Date, contacts: number): Date[] {
  const size = subTaskSize(pace, start, contacts);
  const times: Date[] = [];
  let due = nextOpen(pace.quietHours, start);
  for (let left = contacts; left > 0; left -= size) {
    times.push(due);
    due = nextDue(pace, due, { submitted: Math.min(size, left), left });
  }
  return times;
}

describe('the pace of a send', () => {
  const start = at('2026-11-25T12:00:00+08:00');

  it('makes sub-tasks of what a minute may have, and no larger than the platform takes', () => {
    const sizes = [10, 400, 1000, 30_000].map((perMinute) => subTaskSize({ perMinute }, start, 5000));
    expect(sizes).to.deep.equal([10, 400, 1000, 1000]);
    const evenlyUntil = at('2026-11-25T14:00:00+08:00').toISOString();
    expect(subTaskSize({ evenlyUntil }, start, 600)).to.equal(5);
    expect([null, {}, { quietHours: night }].map((pace) => subTaskSize(pace, start, 600))).to.deep.equal([
      1000, 1000, 1000,
    ]);
  });

  it('submits 1,000 a minute, and goes on after the quiet hours', () => {
    const pace = { perMinute: 1000, quietHours: night };
    const times = submitAll(pace, at('2026-11-25T20:58:00+08:00'), 3500);
    expect(times).to.deep.equal(
      ['25T20:58', '25T20:59', '26T08:00', '26T08:01'].map((text) => at(`2026-11-${text}:00+08:00`)),
    );
  });

  it('spreads evenly until a time, over what is open until then', () => {
    const evenlyUntil = at('2026-11-26T09:00:00+08:00').toISOString();
    const times = submitAll({ evenlyUntil, quietHours: night }, at('2026-11-25T20:00:00+08:00'), 600);
    expect(times).to.have.length(120);
    expect(times[60]).to.deep.equal(at('2026-11-26T08:00:00+08:00'));
    expect(times.at(-1)).to.deep.equal(at('2026-11-26T08:59:00+08:00'));
  });

  it('forecasts the end that submitting has, to the minute', () => {
    const paces = fc.record(
      { perMinute: fc.integer({ min: 10, max: 5000 }), quietHours },
      { requiredKeys: ['perMinute'] },
    );
    fc.assert(
      fc.property(paces, moment, fc.integer({ min: 1, max: 20_000 }), (pace, from, contacts) => {
        // With a minute a day that is open, it ends within the 400 days that quiet hours are looked at.
        fc.pre(contacts / pace.perMinute <= 300);
        const { endsAt, keptBack } = forecastOf(pace, from, contacts);
        const last = submitAll(pace, from, contacts).at(-1)?.getTime() ?? 0;
        expect(keptBack).to.equal(0);
        expect(
          Math.abs(
            openTimeBetween(pace.quietHours, from, endsAt) - openTimeBetween(pace.quietHours, from, new Date(last)),
          ),
        ).to.be.at.most(MINUTE);
      }),
      { numRuns: 60 },
    );
  });

  it('says how many the deadline keeps back', () => {
    const pace = { perMinute: 1000, deadline: at('2026-11-25T12:10:00+08:00').toISOString() };
    expect(forecastOf(pace, start, 12_500)).to.deep.equal({ endsAt: new Date(pace.deadline), keptBack: 2500 });
    expect(forecastOf(pace, start, 9000).keptBack).to.equal(0);
  });

  const send = (fields: Partial<PacedSend>): PacedSend => ({
    pace: { perMinute: 1000 },
    createdAt: start,
    pacedUntil: null,
    scheduledAt: null,
    deadlineOverAt: null,
    left: 5000,
    ...fields,
  });
  const later = (minutes: number) => new Date(start.getTime() + minutes * MINUTE);

  it('waits for the start of a scheduled campaign', () => {
    expect(dueOf(send({ scheduledAt: later(60) }), start)).to.deep.equal(later(60));
    expect(dueOf(send({ scheduledAt: later(-60), pacedUntil: later(2) }), start)).to.deep.equal(later(2));
  });

  it('makes up for waits that took a little longer, and not for a pause', () => {
    const due = send({ pacedUntil: start });
    expect(dueAfter(due, 1000, new Date(start.getTime() + 900))).to.deep.equal(later(1));
    expect(dueAfter(due, 1000, later(30))).to.deep.equal(later(31));
  });

  it('submits in no minute more than the rate and one sub-task, however late its process is', () => {
    const delays = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 4000 }), fc.integer({ min: 1, max: 1000 }), delays, (rate, most, late) => {
        const size = Math.min(rate, most);
        const paced = send({ pace: { perMinute: rate } });
        let [now, pacedUntil] = [start, null as Date | null];
        const times = late.map((delay, index) => {
          // Most are on time.
          const due = Math.max(now.getTime(), pacedUntil?.getTime() ?? 0);
          now = new Date(due + (index % 4 === 0 ? delay : 0));
          pacedUntil = dueAfter({ ...paced, pacedUntil }, size, now);
          return now.getTime();
        });
        for (const from of times) {
          const inMinute = times.filter((time) => time >= from && time < from + MINUTE).length;
          expect(inMinute * size).to.be.at.most(rate + size);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('knows no deadline once it was overruled, or for what was asked for after it', () => {
    const pace = { deadline: later(10).toISOString() };
    expect(deadlineOf(send({ pace }))).to.deep.equal(later(10));
    expect(deadlineOf(send({ pace, deadlineOverAt: later(11) }))).to.equal(null);
    expect(deadlineOf(send({ pace, createdAt: later(12) }))).to.equal(null);
  });
});
