import { expect } from 'chai';
import { datesOn, dayAt, nextLookOf } from './looks.ts';

describe('moments at which contacts enter automations', () => {
  const birthday = { event: 'date', attribute: 'birthday', offsetDays: 0, at: '09:00', yearly: true } as const;
  const iso = (at: Date) => at.toISOString();
  const after = (text: string) => new Date(text);

  it('are those that clocks in the zone show, the first after a gap', () => {
    const taipei = { ...birthday, zone: 'Asia/Taipei' };
    expect(iso(nextLookOf(taipei, after('2026-11-26T00:59:59Z'), null))).to.equal('2026-11-26T01:00:00.000Z');
    expect(iso(nextLookOf(taipei, after('2026-11-26T01:00:00Z'), null))).to.equal('2026-11-27T01:00:00.000Z');
    const berlin = { ...birthday, at: '02:30', zone: 'Europe/Berlin' };
    expect(iso(nextLookOf(berlin, after('2026-03-28T12:00:00Z'), null))).to.equal('2026-03-29T01:00:00.000Z');
    expect(dayAt(after('2026-11-26T16:00:00Z'), 'Asia/Taipei')).to.equal('2026-11-27');
  });

  it('are full hours or days of UTC for segments, unless they say otherwise', () => {
    const segment = { event: 'segment.entered', segment: { tag: 't' }, every: 'hour' } as const;
    expect(iso(nextLookOf(segment, after('2026-11-26T10:00:00Z'), null))).to.equal('2026-11-26T11:00:00.000Z');
    const daily = { ...segment, every: 'day' } as const;
    expect(iso(nextLookOf(daily, after('2026-11-26T10:00:00Z'), null))).to.equal('2026-11-27T00:00:00.000Z');
    const at = { ...daily, at: '08:00', zone: 'Asia/Taipei' };
    expect(iso(nextLookOf(at, after('2026-11-26T10:00:00Z'), null))).to.equal('2026-11-27T00:00:00.000Z');
    expect(iso(nextLookOf(daily, after('2026-11-26T10:00:00Z'), 500))).to.equal('2026-11-26T10:00:00.500Z');
  });

  it('meet dates so many days before, or after, and the leap day on the 28th of other years', () => {
    expect(datesOn('2026-11-26', { offsetDays: 3, yearly: false })).to.deep.equal({ dates: ['2026-11-23'] });
    expect(datesOn('2026-11-26', { offsetDays: -7, yearly: true })).to.deep.equal({ monthDays: ['12-03'] });
    expect(datesOn('2026-02-28', { offsetDays: 0, yearly: true })).to.deep.equal({ monthDays: ['02-28', '02-29'] });
    expect(datesOn('2028-02-28', { offsetDays: 0, yearly: true })).to.deep.equal({ monthDays: ['02-28'] });
    expect(datesOn('2028-02-29', { offsetDays: 0, yearly: true })).to.deep.equal({ monthDays: ['02-29'] });
  });
});
