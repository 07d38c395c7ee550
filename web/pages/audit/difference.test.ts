import { expect } from 'chai';
import fc from 'fast-check';
import { changedFields, differencesOf } from './difference.ts';

describe('the difference between before and after', () => {
  it('names each field that changed, came or went', () => {
    const before = { name: 'First', kind: 'permanent', color: null, audience: { tagIds: ['a', 'b'] }, note: 'x' };
    const after = { name: 'Second', kind: 'permanent', audience: { tagIds: ['a'] }, messages: [{ title: 'Hi' }] };
    const found = differencesOf(before, after);
    expect(found).to.deep.equal([
      { path: 'name', before: 'First', after: 'Second' },
      { path: 'audience.tagIds', before: '["a","b"]', after: '["a"]' },
      { path: 'note', before: 'x', after: undefined },
      { path: 'messages.0.title', before: undefined, after: 'Hi' },
    ]);
    expect(changedFields(found)).to.deep.equal(['name', 'audience', 'note', 'messages']);
  });

  it('takes what was created as all new, and single values as they are', () => {
    expect(differencesOf(null, { a: 1, b: false })).to.deep.equal([
      { path: 'a', before: undefined, after: '1' },
      { path: 'b', before: undefined, after: 'false' },
    ]);
    expect(differencesOf('x', 'y')).to.deep.equal([{ path: '', before: 'x', after: 'y' }]);
    expect(changedFields(differencesOf('x', 'y'))).to.deep.equal([]);
  });

  it('finds nothing between equal states, and swaps its sides with its arguments', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(differencesOf(one, one)).to.deep.equal([]);
        const there = differencesOf(one, other).map(({ path, before, after }) => [path, before, after]);
        const back = differencesOf(other, one).map(({ path, before, after }) => [path, after, before]);
        expect(there).to.have.deep.members(back);
      }),
    );
  });
});
