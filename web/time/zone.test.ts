import { expect } from 'chai';
import * as fc from 'fast-check';
import { addDays, instantsOf, isDay, startOfDay, wallClockOf } from './zone.ts';

const iso = (date: string, time: string, zone: string) =>
  instantsOf({ date, time }, zone)?.map((at) => at.toISOString());

describe('wall time in a zone', () => {
  it('finds the one instant of an ordinary reading, also in zones with half-hour offsets', () => {
    expect(iso('2026-11-24', '09:00', 'Asia/Taipei')).to.deep.equal(['2026-11-24T01:00:00.000Z']);
    expect(iso('2026-07-01', '09:00', 'America/New_York')).to.deep.equal(['2026-07-01T13:00:00.000Z']);
    expect(iso('2026-11-24', '09:00', 'Asia/Kolkata')).to.deep.equal(['2026-11-24T03:30:00.000Z']);
    expect(iso('2026-11-24', '09:00', 'UTC')).to.deep.equal(['2026-11-24T09:00:00.000Z']);
  });

  it('finds none if the clocks skip it', () => {
    expect(iso('2026-03-29', '02:30', 'Europe/Berlin')).to.deep.equal([]);
    expect(iso('2026-03-29', '03:00', 'Europe/Berlin')).to.deep.equal(['2026-03-29T01:00:00.000Z']);
    // Lord Howe's clocks change by half an hour.
    expect(iso('2026-10-04', '02:15', 'Australia/Lord_Howe')).to.deep.equal([]);
  });

  it('finds two if the clocks repeat it', () => {
    expect(iso('2026-10-25', '02:30', 'Europe/Berlin')).to.deep.equal([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ]);
    expect(iso('2026-10-25', '03:00', 'Europe/Berlin')).to.deep.equal(['2026-10-25T02:00:00.000Z']);
  });

  it('returns null for anything that is not a reading', () => {
    expect(instantsOf({ date: '', time: '09:00' }, 'UTC')).to.equal(null);
    expect(instantsOf({ date: '2026-11-24', time: '' }, 'UTC')).to.equal(null);
    expect(instantsOf({ date: '2026-02-31', time: '09:00' }, 'UTC')).to.equal(null);
    expect(instantsOf({ date: '2026-02-28x', time: '' }, 'UTC')).to.equal(null);
  });

  it('converts an instant back to the reading', () => {
    expect(wallClockOf(new Date('2026-11-24T01:00:00Z'), 'Asia/Taipei')).to.deep.equal({
      date: '2026-11-24',
      time: '09:00',
    });
    expect(wallClockOf(new Date('2026-11-24T00:00:59.500Z'), 'Asia/Kolkata')).to.deep.equal({
      date: '2026-11-24',
      time: '05:30',
    });
  });

  it('recovers every instant from its reading', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Cairo', 'UTC');
    const minutes = fc.integer({ min: Date.UTC(2025, 0) / 60_000, max: Date.UTC(2028, 0) / 60_000 });
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        const at = new Date(minute * 60_000);
        const found = instantsOf(wallClockOf(at, zone), zone);
        expect(found?.map((one) => one.toISOString())).to.include(at.toISOString());
      }),
    );
  });
});

describe('days of a zone', () => {
  it('begin when the zone says so, even if it skips midnight', () => {
    expect(startOfDay('2026-11-24', 'Asia/Taipei')?.toISOString()).to.equal('2026-11-23T16:00:00.000Z');
    expect(startOfDay('2026-04-24', 'Africa/Cairo')?.toISOString()).to.equal('2026-04-23T22:00:00.000Z');
    expect(startOfDay('', 'UTC')).to.equal(null);
  });

  it('do not begin if the zone skips the whole day', () => {
    expect(startOfDay('2011-12-30', 'Pacific/Apia')).to.equal(null);
  });

  it('are counted by the calendar', () => {
    expect(addDays('2026-03-01', -1)).to.equal('2026-02-28');
    expect(addDays('2028-02-28', 1)).to.equal('2028-02-29');
    expect(addDays('2026-12-31', 1)).to.equal('2027-01-01');
  });

  it('are recognised', () => {
    expect(['2026-11-24', '2028-02-29'].filter(isDay)).to.have.length(2);
    expect(['', '2026-02-31', '2026-02-00', '2026-2-1', '2026-11-24T00:00', undefined].filter(isDay)).to.deep.equal([]);
  });
});
