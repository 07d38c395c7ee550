import { expect } from 'chai';
import { daysOf, lastDays, instantsOfDays, presetOf } from './use-period.ts';

describe('period of days', () => {
  it('is read from the address, and only where it makes sense', () => {
    expect(daysOf({ from: '2026-11-18', to: '2026-11-24' })).to.deep.equal({ from: '2026-11-18', to: '2026-11-24' });
    expect(daysOf({ from: '2026-11-24', to: '2026-11-18' })).to.equal(null);
    expect(daysOf({ from: '2026-11-18' })).to.equal(null);
    expect(daysOf({ from: '2026-13-40', to: 'x' })).to.equal(null);
  });

  it('is known by its name where it ends today', () => {
    expect(presetOf(lastDays(30, '2026-11-24'), '2026-11-24')).to.equal(30);
    expect(presetOf({ from: '2026-11-01', to: '2026-11-02' }, '2026-11-24')).to.equal(undefined);
    expect(presetOf(null, '2026-11-24')).to.equal(undefined);
  });

  it('holds both days whole, in the zone, also across a clock change', () => {
    expect(instantsOfDays({ from: '2026-11-18', to: '2026-11-18' }, 'Asia/Taipei')).to.deep.equal({
      from: '2026-11-17T16:00:00.000Z',
      to: '2026-11-18T16:00:00.000Z',
    });
    expect(instantsOfDays({ from: '2026-10-25', to: '2026-10-25' }, 'Europe/Berlin')).to.deep.equal({
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
    });
  });
});
