import { expect } from 'chai';
import { addDays, momentsOf, offsetMinutes, startOfDay, wallClockOf } from './zone.ts';

const iso = (date: string, time: string, zone: string) =>
  momentsOf({ date, time }, zone)?.map((at) => at.toISOString());

describe('wall time in a zone', () => {
  it('knows offsets, also of half hours', () => {
    expect(offsetMinutes('Asia/Taipei', new Date('2026-11-24T00:00:00Z'))).to.equal(480);
    expect(offsetMinutes('Asia/Kolkata', new Date('2026-11-24T00:00:00.500Z'))).to.equal(330);
    expect(offsetMinutes('UTC', new Date())).to.equal(0);
  });

  it('finds the one moment of an ordinary reading', () => {
    expect(iso('2026-11-24', '09:00', 'Asia/Taipei')).to.deep.equal(['2026-11-24T01:00:00.000Z']);
    expect(iso('2026-07-01', '09:00', 'America/New_York')).to.deep.equal(['2026-07-01T13:00:00.000Z']);
  });

  it('finds none where the clocks skip it', () => {
    expect(iso('2026-03-29', '02:30', 'Europe/Berlin')).to.deep.equal([]);
  });

  it('finds two where the clocks repeat it', () => {
    expect(iso('2026-10-25', '02:30', 'Europe/Berlin')).to.deep.equal([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ]);
  });

  it('says null for what is no reading', () => {
    expect(momentsOf({ date: '', time: '09:00' }, 'UTC')).to.equal(null);
    expect(momentsOf({ date: '2026-02-31x', time: '' }, 'UTC')).to.equal(null);
  });

  it('goes back from a moment to the reading', () => {
    expect(wallClockOf(new Date('2026-11-24T01:00:00Z'), 'Asia/Taipei')).to.deep.equal({
      date: '2026-11-24',
      time: '09:00',
    });
  });

  it('begins days where the zone does, also where midnight is skipped', () => {
    expect(startOfDay('2026-11-24', 'Asia/Taipei')?.toISOString()).to.equal('2026-11-23T16:00:00.000Z');
    expect(startOfDay('2026-04-24', 'Africa/Cairo')?.toISOString()).to.equal('2026-04-23T22:00:00.000Z');
    expect(startOfDay('', 'UTC')).to.equal(null);
    expect(addDays('2026-03-01', -1)).to.equal('2026-02-28');
  });
});
