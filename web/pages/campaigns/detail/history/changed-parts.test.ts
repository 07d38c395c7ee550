import { expect } from 'chai';
import { changedParts } from './changed-parts.ts';

describe('changed parts of a campaign', () => {
  it('names the parts that differ, whatever the order of their keys', () => {
    const before = { name: 'A', note: null, audience: { type: 'contacts', contactIds: 2 }, endsAt: null };
    const after = {
      name: 'B',
      note: null,
      audience: { contactIds: 2, type: 'contacts' },
      endsAt: '2026-12-01T00:00:00Z',
    };
    expect(changedParts({ before, after })).to.deep.equal(['name', 'endsAt']);
  });

  it('finds nothing if an entry was too long to be stored', () => {
    expect(changedParts({ before: null, after: null })).to.deep.equal([]);
  });
});
