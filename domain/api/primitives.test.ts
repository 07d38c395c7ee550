import { expect } from 'chai';
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
    ['2026-11-24T09:00+08', '2026-11-24T09:00:00+08:00'],
    ['2026-11-24T09:00:30,25-03:30', '2026-11-24T09:00:30.25-03:30'],
    ['2026-11-24T09:00:30.25Z', '2026-11-24T09:00:30.25Z'],
  ];
  for (const [given, inFull] of forms) {
    it(`reads ${given} as ${inFull}`, () => expect(platformTimestamp.parse(given)).to.equal(inFull));
  }

  it('rejects a time without zone, without minutes, in basic format, or that is not a time', () => {
    const wrong = ['2026-11-24T09:00', '2026-11-24T09Z', '2026-11-24T09:00:00+0800', '20261124T090000Z', '', null, 1];
    for (const instant of wrong) expect(platformTimestamp.safeParse(instant).success, String(instant)).to.equal(false);
  });
});
