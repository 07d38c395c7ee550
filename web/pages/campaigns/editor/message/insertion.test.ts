import { expect } from 'chai';
import type { Message } from '#domain/api/messages.ts';
import { type DraftCard, messageOf, newCard } from '../draft/cards.ts';
import { insertMessage, mayInsert } from './insertion.ts';

describe('a message that is put into a draft', () => {
  const text = (words: string): Message => ({ type: 'text', text: words });
  const written = (words: string): DraftCard => ({ ...newCard('text'), text: words });
  const shown = (cards: DraftCard[]) => cards.map(messageOf);

  it('comes after the others, and is taken out again wherever it was moved', () => {
    const cards = [written('First')];
    const undo = insertMessage(() => cards, text('Inserted'));
    expect(shown(cards)).to.deep.equal([text('First'), text('Inserted')]);
    cards.reverse();
    undo();
    expect(shown(cards)).to.deep.equal([text('First')]);
    expect(undo).to.throw('not there any more');
  });

  it('takes the place of one that is empty, which comes back', () => {
    const cards = [newCard('buttons'), written('Last')];
    const undo = insertMessage(() => cards, text('Inserted'));
    expect(shown(cards)).to.deep.equal([text('Inserted'), text('Last')]);
    undo();
    expect(cards.map(({ type }) => type)).to.deep.equal(['buttons', 'text']);
  });

  it('leaves an empty one where it was the only one left', () => {
    const cards = [written('First')];
    const undo = insertMessage(() => cards, text('Inserted'));
    cards.shift();
    undo();
    expect(shown(cards)).to.deep.equal([text('')]);
  });

  it('finds no room beside five that are written', () => {
    const five = ['1', '2', '3', '4', '5'].map(written);
    expect(mayInsert(five)).to.equal(false);
    expect(mayInsert([...five.slice(1), newCard('image')])).to.equal(true);
    expect(mayInsert(five.slice(1))).to.equal(true);
  });
});
