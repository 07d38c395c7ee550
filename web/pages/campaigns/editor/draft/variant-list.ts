import { messagesPath } from '#domain/campaigns/variants/variants.ts';
import type { DraftCard } from './cards.ts';
import { casesIn } from './cases.ts';
import type { Draft } from './draft.ts';
import { type DraftTest, type DraftVariant, MOST_VARIANTS } from './variants.ts';

type Tested = Pick<Draft, 'cards' | 'variants'>;
type Varied = Tested & Pick<Draft, 'cases'>;

/** What one tab of the editor edits. */
export interface DraftPart {
  key: string;
  /** The name of a variant, the values of a case; empty for `otherwise`. */
  name: string;
  cards: DraftCard[];
  /** Where its messages are in the draft. */
  place: string;
}

/** Every variant of the draft, the one of its own messages first; none if everybody gets the same. */
export const variantsIn = ({ cards, variants }: Tested): DraftVariant[] =>
  variants ? [{ key: variants.key, name: variants.name, share: variants.share, cards }, ...variants.others] : [];

/** Where the messages of a variant are in the draft. */
export const placeOfVariant = (position: number): string => messagesPath(position).slice(1);

/** Everything that the draft may say to different contacts: its variants, or its cases, `otherwise` first; none if everybody gets the same. */
export const partsIn = ({ cases, ...draft }: Varied): DraftPart[] =>
  cases
    ? casesIn(cases).map(({ values, ...part }) => ({ ...part, name: values.trim() }))
    : variantsIn(draft).map((one, position) => ({ ...one, place: placeOfVariant(position) }));

/** The messages of a variant or a case, by its position; the draft's own if everybody gets the same. */
export const cardsAt = (draft: Varied, position: number): DraftCard[] => partsIn(draft)[position]?.cards ?? draft.cards;

/** Where the messages of a variant or a case are in the draft. */
export const placeAt = (draft: Varied, position: number): string =>
  partsIn(draft)[position]?.place ?? placeOfVariant(position);

/** Where the name and the share of a variant are in the draft. */
export const fieldsAt = (position: number): string => (position === 0 ? 'variants' : `variants/others/${position - 1}`);

/** The position of the variant, or the case, in which a place of the draft is; 0 for what is in none. */
export function variantOf(at: string): number {
  const [, position] = /^(?:variants\/others|messagesBy\/cases)\/(\d+)(?:\/|$)/.exec(at) ?? [];
  return position === undefined ? 0 : Number(position) + 1;
}

/** Writes the variants of a test back; of a single one everybody gets the messages. */
function write(draft: Tested, list: readonly DraftVariant[], test: DraftTest): void {
  const [first, ...others] = list;
  if (!first) return;
  const { key, name, share } = first;
  draft.cards = first.cards;
  draft.variants = others.length > 0 ? { ...test, key, name, share, others } : null;
}

/** Puts a variant after the others, or at a position. */
function insert(draft: Tested, variant: DraftVariant, position: number, test: DraftTest): void {
  const list = variantsIn({ cards: draft.cards, variants: test });
  list.splice(position, 0, variant);
  write(draft, list, test);
}

/** Adds a variant to the draft's test, as the last one. */
export function addVariant(draft: Tested, variant: DraftVariant): void {
  if (draft.variants) insert(draft, variant, MOST_VARIANTS, draft.variants);
}

/**
 * Takes a variant out of the draft's test; with one that is left the test ends. Returns how it is put back, which fails if
 * there is no room for it any more.
 */
export function removeVariant(draft: Tested, position: number): (now: Tested) => void {
  const { variants: test } = draft;
  const list = variantsIn(draft);
  const [removed] = list.splice(position, 1);
  const [left] = list;
  if (!test || !removed || !left) throw new Error('There is no such variant');
  write(draft, list, test);
  return (now) => {
    const current = now.variants ?? { ...test, key: left.key, name: left.name, share: left.share, others: [] };
    if (current.others.length + 1 >= MOST_VARIANTS) throw new Error('There are as many variants as there may be');
    insert(now, removed, position, current);
  };
}
