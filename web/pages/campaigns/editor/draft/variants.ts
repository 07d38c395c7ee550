import type { Campaign } from '../../../../../domain/api/campaign.ts';
import type { Measure, Variants } from '../../../../../domain/api/variants.ts';
import { cardOf, type DraftCard, messageOf, newCard } from './cards.ts';

/** Another message that the campaign's own are tested against; its share as it is typed. */
export interface DraftVariant {
  key: string;
  name: string;
  share: string;
  cards: DraftCard[];
}

/** A test of variants as it is edited; numbers as they are typed. */
export interface DraftTest {
  name: string;
  share: string;
  others: DraftVariant[];
  by: Measure['type'];
  eventCode: string;
  tagId: string;
  decide: Variants['winner']['decide'];
  otherwise: Variants['winner']['otherwise'];
  afterHours: string;
  minimum: string;
}

/** Null: everybody gets the campaign's own messages. */
export type DraftVariants = DraftTest | null;

/** Variants at most, the campaign's own messages included. */
export const MOST_VARIANTS = 5;

const letterOf = (position: number) => String.fromCharCode('A'.charCodeAt(0) + position);

let keys = 0;
const nextKey = () => `v${(keys += 1)}`;

/** A further variant, with the first letter that no other has as its name. */
export function newVariant(names: readonly string[], cards: DraftCard[] = [newCard('buttons')]): DraftVariant {
  const letters = Array.from({ length: MOST_VARIANTS + 1 }, (_, position) => letterOf(position));
  const name = letters.find((letter) => !names.includes(letter)) ?? '';
  return { key: nextKey(), name, share: '10', cards };
}

/** What the editor suggests: a tenth for each of two, and whichever is proven to be better, or ahead after a day, for the others. */
export const newTest = (cards: DraftCard[]): DraftTest => ({
  name: letterOf(0),
  share: '10',
  others: [
    newVariant(
      [letterOf(0)],
      cards.map((card) => cardOf(messageOf(card))),
    ),
  ],
  by: 'clicks',
  eventCode: '',
  tagId: '',
  decide: 'automatic',
  otherwise: 'best',
  afterHours: '24',
  minimum: '100',
});

/** A stored test as the editor shows it. */
export function draftVariantsOf(variants: Campaign['variants']): DraftVariants {
  if (!variants) return null;
  const { by, decide, otherwise, afterHours, minimum } = variants.winner;
  return {
    name: variants.name,
    share: variants.sharePercent.toString(),
    others: variants.others.map(({ name, sharePercent, messages }) => ({
      key: nextKey(),
      name,
      share: sharePercent.toString(),
      cards: messages.map(cardOf),
    })),
    by: by.type,
    eventCode: by.type === 'eventCode' ? by.bizEventCode : '',
    tagId: by.type === 'tag' ? by.tagId : '',
    decide,
    otherwise,
    afterHours: afterHours.toString(),
    minimum: minimum.toString(),
  };
}

// What is not a number stays as it is, for the schema to reject.
const numberOf = (typed: string) => (/^\d+$/.test(typed.trim()) ? Number(typed) : typed);

function measureOf({ by, eventCode, tagId }: DraftTest): Record<string, unknown> {
  if (by === 'eventCode') return { type: by, bizEventCode: eventCode.trim() };
  return by === 'tag' ? { type: by, tagId } : { type: by };
}

/** As the API expects it, whether valid or not. */
export function variantsOf(test: DraftVariants): Record<string, unknown> | null {
  if (test === null) return null;
  const { decide, otherwise } = test;
  return {
    name: test.name,
    sharePercent: numberOf(test.share),
    others: test.others.map(({ name, share, cards }) => ({
      name,
      sharePercent: numberOf(share),
      messages: cards.map(messageOf),
    })),
    winner: {
      by: measureOf(test),
      decide,
      otherwise,
      afterHours: numberOf(test.afterHours),
      minimum: numberOf(test.minimum),
    },
  };
}

/** Every variant with its share; the campaign's own first. */
export const sharesOf = ({ name, share, others }: DraftTest): { name: string; share: string }[] => [
  { name, share },
  ...others.map((other) => ({ name: other.name, share: other.share })),
];

/** How much of the audience is in no share, in percents; null if the shares are no numbers or more than all of it. */
export function restOf(test: DraftTest): number | null {
  const shares = sharesOf(test).map(({ share }) => numberOf(share));
  const sum = shares.reduce<number>((total, share) => (typeof share === 'number' ? total + share : Number.NaN), 0);
  return sum <= 100 ? 100 - sum : null;
}
