import { expect } from 'chai';
import { mentions, mentionsAlone, withoutMentions } from './mentions.ts';

describe('where a contact is named in JSON', () => {
  const named = { contactIds: ['person-1', 'person-12'], note: 'asked by person-1.', 'person-1': 1, count: 7 };

  it('A14: finds the id as a whole text, as a key, and by itself within a text', () => {
    expect(mentions(['person-1'], 'person-1')).to.equal(true);
    expect(mentions({ note: 'asked by person-1.' }, 'person-1')).to.equal(true);
    expect(mentions({ 'person-1': true }, 'person-1')).to.equal(true);
    expect(mentions({ note: 'person-12 and aperson-1' }, 'person-1')).to.equal(false);
  });

  it('A14: does not take short ids or numbers for a person', () => {
    expect(mentions({ count: 7, note: 'call 7 now', level: 77 }, '7')).to.equal(false);
    expect(mentions({ contactId: '7' }, '7')).to.equal(true);
  });

  it('A14: replaces nothing else', () => {
    expect(withoutMentions(named, 'person-1', 'x')).to.deep.equal({
      contactIds: ['x', 'person-12'],
      note: 'asked by x.',
      x: 1,
      count: 7,
    });
  });

  it('A14: leaves other contacts out of a list that names one', () => {
    expect(mentionsAlone(named, 'person-1')).to.deep.include({ contactIds: ['person-1'], count: 7 });
    expect(mentionsAlone({ contactIds: ['a', 'b'] }, 'person-1')).to.deep.equal({ contactIds: ['a', 'b'] });
  });
});
