import { expect } from 'chai';
import { decideEach, type EntryFacts } from './entering.ts';

const day = 24 * 60 * 60_000;
const at = (days: number) => new Date(Date.UTC(2026, 10, 1) + days * day);
const facts = (more: Partial<EntryFacts> = {}): EntryFacts => ({
  earlier: new Map(),
  heldBack: new Set(),
  controlGroup: new Set(),
  matches: () => true,
  ...more,
});
const causes = (...given: [string, number][]) => given.map(([contactId, days]) => ({ contactId, causedAt: at(days) }));

describe('entering an automation', () => {
  it('is once, again after some days, or for every cause', () => {
    const given = causes(['a', 0], ['b', 0], ['a', 1], ['a', 2.9], ['a', 3]);
    expect(decideEach('once', given, facts())).to.deep.equal([null, null, 'duplicate', 'duplicate', 'duplicate']);
    expect(decideEach({ afterDays: 3 }, given, facts())).to.deep.equal([null, null, 'duplicate', 'duplicate', null]);
    expect(decideEach('every', given, facts())).to.deep.equal([null, null, null, null, null]);
  });

  it('is kept from by what came before, also where that is later than a late cause', () => {
    const earlier = new Map([['a', [at(5)]]]);
    expect(decideEach({ afterDays: 3 }, causes(['a', 3], ['a', 1], ['a', 8]), facts({ earlier }))).to.deep.equal([
      'duplicate',
      null,
      null,
    ]);
  });

  it('is refused for the first reason that holds', () => {
    const matches = (index: number) => index !== 3;
    const more = { heldBack: new Set(['h']), controlGroup: new Set(['h', 'g']), matches };
    const given = causes(['h', 0], ['h', 1], ['g', 0], ['x', 0], ['m', 0]);
    expect(decideEach('once', given, facts(more))).to.deep.equal([
      'held_back',
      'duplicate',
      'control_group',
      'filter',
      null,
    ]);
  });

  it('is not kept from by an entry that was refused by the filter', () => {
    const matches = () => false;
    expect(decideEach('once', causes(['x', 0], ['x', 1]), facts({ matches }))).to.deep.equal(['filter', 'filter']);
  });
});
