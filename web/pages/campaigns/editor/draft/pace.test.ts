import { expect } from 'chai';
import { draftPaceOf, newPace, noPace, paceOf, withoutPassedTimes } from './pace.ts';
import { newDraft } from './draft.ts';
import { fieldsOf } from './checks.ts';

const zone = 'Asia/Taipei';

describe('the pace of a draft', () => {
  it('is nothing unless something is wanted', () => {
    expect(paceOf(noPace())).to.equal(null);
    expect(paceOf(newPace()), 'the settings fill it').to.equal(null);
    expect(draftPaceOf(null, zone)).to.deep.equal(noPace());
  });

  it('is read and written the same', () => {
    const paces = [
      { perMinute: 400, quietHours: { from: '21:00', to: '08:00', zone }, deadline: '2026-12-01T04:00:00.000Z' },
      { evenlyUntil: '2026-12-01T04:00:00.000Z' },
    ];
    for (const pace of paces) expect(paceOf(draftPaceOf(pace, zone))).to.deep.equal(pace);
  });

  it('gets later times for those that have passed', () => {
    const now = new Date('2026-12-01T04:10:00.000Z');
    const passed = { evenlyUntil: '2026-12-01T04:00:00.000Z', deadline: '2026-12-01T04:10:00.000Z' };
    expect(paceOf(withoutPassedTimes(draftPaceOf(passed, zone), zone, now))).to.deep.equal({
      evenlyUntil: '2026-12-01T07:00:00.000Z',
      deadline: '2026-12-02T05:00:00.000Z',
    });
    const ahead = { perMinute: 400, deadline: '2026-12-01T04:11:00.000Z' };
    expect(paceOf(withoutPassedTimes(draftPaceOf(ahead, zone), zone, now))).to.deep.equal(ahead);
  });

  it('is fixed before it is saved if it is not complete', () => {
    const incomplete = [
      { ...noPace(), spread: 'rate' as const, perMinute: '9' },
      { ...noPace(), spread: 'rate' as const, perMinute: 'many' },
      { ...noPace(), spread: 'evenly' as const },
      { ...noPace(), quiet: { from: '21:00', to: '21:00', zone } },
      { ...noPace(), quiet: { from: '', to: '08:00', zone } },
    ];
    for (const pace of incomplete) {
      const { valid, issues } = fieldsOf({ ...newDraft(), pace });
      expect(valid).not.to.have.property('pace');
      expect(issues.filter(({ field }) => field === 'pace').map(({ at, key }) => [at, key])).to.deep.include([
        'pace',
        'pace',
      ]);
    }
  });
});
