import { expect } from 'chai';
import fc from 'fast-check';
import { platformTimestamp, timestamp } from './primitives.ts';

describe('timestamp', () => {
  it('accepts ISO 8601 with a zone, in years that a database and four digits can hold, and zones that it knows', () => {
    const right = [
      '2026-11-24T09:00:00+08:00',
      '2026-11-24T01:00:00.123456789Z',
      '0001-01-01T00:00:00Z',
      '2026-11-24T09:00:00-15:59',
    ];
    for (const instant of right) expect(timestamp.parse(instant)).to.equal(instant);
    const wrong = [
      '0000-06-01T00:00:00Z',
      '0001-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59-12:00',
      '2026-11-24T09:00:00',
      '2543-03-18T07:54:47.239+20:28',
      '1426-03-21T10:26:13-16:00',
    ];
    for (const instant of wrong) expect(timestamp.safeParse(instant).success, instant).to.equal(false);
  });
});

describe('platformTimestamp', () => {
  const forms: [string, string][] = [
    ['2026-11-24T09:00Z', '2026-11-24T09:00:00Z'],
    ['2026-11-24T09:00+08', '2026-11-24T01:00:00Z'],
    ['2026-11-24T09:00:00+0800', '2026-11-24T01:00:00Z'],
    ['2026-11-24T09:00:30,25-03:30', '2026-11-24T12:30:30.25Z'],
    ['2026-11-24t09:00:30.123456789z', '2026-11-24T09:00:30.123456Z'],
    ['20261124T090000Z', '2026-11-24T09:00:00Z'],
    ['20261124T0900+08', '2026-11-24T01:00:00Z'],
    ['2026-328T09:00:00Z', '2026-11-24T09:00:00Z'],
    ['2026328T090000,5Z', '2026-11-24T09:00:00.5Z'],
    ['2026-W48-2T09:00:00Z', '2026-11-24T09:00:00Z'],
    ['2026W482T090000Z', '2026-11-24T09:00:00Z'],
    ['2020-W53-7T00:00:00Z', '2021-01-03T00:00:00Z'],
    ['2026-12-31T24:00:00Z', '2027-01-01T00:00:00Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
    ['2026-11-24T09:00:00-0000', '2026-11-24T09:00:00Z'],
    ['2024-02-29T00:00:00+14:00', '2024-02-29T00:00:00+14:00'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ];
  for (const [given, instant] of forms)
    it(`reads ${given} as ${instant}`, () => expect(platformTimestamp.parse(given)).to.equal(instant));

  it('rejects what does not name one instant, or none that can be stored', () => {
    const wrong = [
      '2026-11-24T09:00',
      '2026-11-24T09Z',
      '2026-11-24',
      '2026-11-24 09:00:00Z',
      '2026-1124T09:00:00Z',
      '2026-11-24T0900:00Z',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-10T00:00:00Z',
      '2026-366T00:00:00Z',
      '2026-000T00:00:00Z',
      '2026-W54-1T00:00:00Z',
      '2026-W00-1T00:00:00Z',
      '2026-W48-8T00:00:00Z',
      '2026-11-24T24:00:01Z',
      '2026-11-24T25:00:00Z',
      '2026-11-24T09:60:00Z',
      '2026-11-24T09:00:61Z',
      '2026-11-24T09:00:00+16:00',
      '2026-11-24T09:00:00+08:60',
      '0000-06-01T00:00:00Z',
      '0001-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59-12:00',
      '',
      null,
      1,
    ];
    for (const instant of wrong) expect(platformTimestamp.safeParse(instant).success, String(instant)).to.equal(false);
  });

  it('reads as an instant what every day writes in each of its forms', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
        (date) => {
          const [day = '', time = ''] = date.toISOString().split('T');
          const year = date.getUTCFullYear();
          const start = new Date(0);
          start.setUTCFullYear(year, 0, 1);
          const ordinal = String(Math.floor((date.getTime() - start.getTime()) / 86_400_000) + 1).padStart(3, '0');
          const expected = date.toISOString();
          for (const form of [
            `${day}T${time}`,
            `${day.replaceAll('-', '')}T${time.replaceAll(':', '')}`,
            `${day.slice(0, 4)}-${ordinal}T${time}`,
          ])
            expect(platformTimestamp.parse(form), form).to.equal(expected);
        },
      ),
    );
  });
});
