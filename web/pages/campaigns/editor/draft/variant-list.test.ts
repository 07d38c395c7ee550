import { expect } from 'chai';
import { variantsSchema } from '#domain/api/variants.ts';
import { cardOf, copyOf } from './cards.ts';
import { fieldsOf } from './checks.ts';
import { type Draft, draftOf, newDraft, rawOf } from './draft.ts';
import { addVariant, cardsAt, removeVariant, variantOf, variantsIn } from './variant-list.ts';
import { armsOf, newTest, newVariant } from './variants.ts';

const said = (text: string) => [cardOf({ type: 'text', text })];

/** A draft that tests so many variants, which say their own names. */
function testing(count: number): Draft & { variants: NonNullable<Draft['variants']> } {
  const draft = newDraft();
  draft.cards = said('A');
  const variants = newTest(draft.cards);
  draft.variants = variants;
  if (variants.others[0]) variants.others[0].cards = said('B');
  for (const letter of ['C', 'D', 'E'].slice(0, count - 2)) addVariant(draft, newVariant(draft.variants, said(letter)));
  return { ...draft, variants: draft.variants };
}
const textsOf = (draft: Draft) => variantsIn(draft).map(({ name, cards }) => `${name}: ${cards[0]?.text}`);
const issuesOf = (draft: Draft) =>
  fieldsOf(draft).issues.flatMap(({ field, at, key }) => (field === 'variants' ? [`${at}: ${key}`] : []));

describe('variants of a draft', () => {
  it('begin with two that say the same, and get the next letter and what is left of the audience', () => {
    const draft = newDraft();
    draft.cards = said('Hi');
    draft.variants = newTest(draft.cards);
    expect(textsOf(draft)).to.deep.equal(['A: Hi', 'B: Hi']);
    draft.variants.share = '92';
    draft.variants.others.forEach((other) => (other.share = '4'));
    expect(newVariant(draft.variants)).to.include({ name: 'C', share: '4' });
  });

  it('are what the API takes, and unchanged by loading them into the editor', () => {
    const draft = testing(3);
    const { valid } = fieldsOf(draft);
    const stored = variantsSchema.parse(valid.variants);
    const campaign = { ...valid, variants: stored, audience: { type: 'contacts', contactIds: ['a'] }, pace: null };
    const read = draftOf({ ...campaign, endsAt: null, schedule: { type: 'immediate' } } as never, 'UTC');
    expect(rawOf(read).variants).to.equal(rawOf(draft).variants);
    expect(textsOf(read)).to.deep.equal(['A: A', 'B: B', 'C: C']);
  });

  it('are removed and put back where they were, the first one too', () => {
    for (const position of [0, 1, 2]) {
      const draft = testing(3);
      const before = textsOf(draft);
      const putBack = removeVariant(draft, position);
      expect(textsOf(draft)).to.deep.equal(before.toSpliced(position, 1));
      expect(draft.cards[0]?.text).to.equal(position === 0 ? 'B' : 'A');
      putBack(draft);
      expect(textsOf(draft)).to.deep.equal(before);
    }
  });

  it('end with the last but one, and begin again as they were', () => {
    const draft: Draft = testing(2);
    const putBack = removeVariant(draft, 0);
    expect([draft.variants, draft.cards[0]?.text]).to.deep.equal([null, 'B']);
    putBack(draft);
    expect(textsOf(draft)).to.deep.equal(['A: A', 'B: B']);
  });

  it('are not put back where there are five already', () => {
    const draft = testing(5);
    const putBack = removeVariant(draft, 4);
    addVariant(draft, newVariant(draft.variants, said('new')));
    expect(() => putBack(draft)).to.throw('as many variants');
    expect(textsOf(draft)).to.have.length(5);
  });

  it('have cards of their own, which a duplicate does not share', () => {
    const draft = testing(2);
    const [card] = cardsAt(draft, 1);
    if (!card) throw new Error('no card');
    const copy = copyOf(card);
    copy.text = 'other';
    expect([card.text, cardsAt(draft, 0)[0]?.text]).to.deep.equal(['B', 'A']);
    expect(cardsAt({ cards: draft.cards, cases: null, variants: null }, 3)).to.equal(draft.cards);
  });

  it('name what is to be fixed at its field', () => {
    const draft = testing(3);
    const [b, c] = draft.variants.others;
    if (!b || !c) throw new Error('no variants');
    b.cards = [...said(' '), cardOf({ type: 'buttons', title: 't', text: 't', actions: [] })];
    b.share = 'ten';
    c.share = '0';
    draft.variants.afterHours = '721';
    draft.variants.minimum = '-1';
    draft.variants.by = 'tag';
    expect(issuesOf(draft)).to.include.members([
      'variants/others/0/sharePercent: share',
      'variants/others/0/messages/0/text: blank',
      'variants/others/0/messages/1/actions: tooFew',
      'variants/others/1/sharePercent: share',
      'variants/winner/by/tagId: blank',
      'variants/winner/afterHours: hours',
      'variants/winner/minimum: conversions',
    ]);
  });

  it('name what concerns several of them: names that are the same, and shares above the whole', () => {
    const draft = testing(3);
    const [b, c] = draft.variants.others;
    if (!b || !c) throw new Error('no variants');
    c.name = b.name;
    expect(issuesOf(draft)).to.deep.equal(['variants/others/1/name: sameNames']);
    c.name = 'C';
    [draft.variants.share, b.share, c.share] = ['50', '50', '1'];
    expect(issuesOf(draft)).to.deep.equal(['variants/sharePercent: aboveHundred']);
  });

  it('name extra fields that are no JSON, in whichever variant', () => {
    const draft = testing(2);
    const action = { type: 'Postback' as const, label: 'Yes', data: { bizEventCode: 'yes' } };
    const card = cardOf({ type: 'buttons', title: 't', text: 't', actions: [action] });
    card.buttons.forEach((button) => (button.extra = '[1]'));
    draft.variants.others.forEach((other) => (other.cards = [card]));
    expect(issuesOf(draft)).to.deep.equal(['variants/others/0/messages/0/actions/0/extra: json']);
    expect(fieldsOf(draft).valid).not.to.have.property('variants');
  });

  it('are found by a place of the draft', () => {
    const places = [
      'messages/0/title',
      'variants/sharePercent',
      'variants/others/0/name',
      'variants/others/3/messages',
    ];
    expect(places.map(variantOf)).to.deep.equal([0, 0, 1, 4]);
  });

  it('say about how many get which, and how many wait', () => {
    const { variants } = testing(3);
    expect(armsOf(1001, variants)).to.deep.equal({
      arms: ['A', 'B', 'C'].map((name) => ({ name, contacts: 100 })),
      rest: 701,
    });
    expect(armsOf(1001, { ...variants, share: '90' })).to.equal(null);
    expect(armsOf(1001, null)).to.equal(null);
  });
});
