import type { Campaign } from '#domain/api/campaign.ts';
import type { Measure, Variants } from '#domain/api/variants.ts';
import { expectedShare } from '#domain/campaigns/variants/variants.ts';
import { cardOf, copyOf, type DraftCard, messageOf, newCard } from './cards.ts';

/** Messages for a share of the audience; the share as it is typed. */
export interface DraftVariant {
  key: string;
  name: string;
  share: string;
  cards: DraftCard[];
}

/** A test of variants as it is edited; numbers as they are typed. */
export interface DraftTest {
  /** Of the campaign's own messages. */
  key: string;
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
const letters = Array.from({ length: MOST_VARIANTS + 1 }, (_, position) => letterOf(position));

let keys = 0;
const nextKey = () => `v${(keys += 1)}`;

const SUGGESTED_SHARE = 10;

/** A further variant beside these, with the first letter that none has as its name, and a share that is left. */
export function newVariant(beside: DraftTest, cards: DraftCard[] = [newCard('buttons')]): DraftVariant {
  const names = new Set(sharesOf(beside).map(({ name }) => name));
  const left = Math.min(restOf(beside) ?? 0, SUGGESTED_SHARE);
  return {
    key: nextKey(),
    name: letters.find((letter) => !names.has(letter)) ?? '',
    share: `${left > 0 ? left : SUGGESTED_SHARE}`,
    cards,
  };
}

/** What the editor suggests: a tenth for each of two, and whichever is proven to be better, or ahead after a day, for the others. */
export function newTest(cards: DraftCard[]): DraftTest {
  const test: DraftTest = {
    key: nextKey(),
    name: letterOf(0),
    share: `${SUGGESTED_SHARE}`,
    others: [],
    by: 'clicks',
    eventCode: '',
    tagId: '',
    decide: 'automatic',
    otherwise: 'best',
    afterHours: '24',
    minimum: '100',
  };
  return { ...test, others: [newVariant(test, cards.map(copyOf))] };
}

/** A stored test as the editor shows it. */
export function draftVariantsOf(variants: Campaign['variants']): DraftVariants {
  if (!variants) return null;
  const { by, decide, otherwise, afterHours, minimum } = variants.winner;
  return {
    key: nextKey(),
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

/** What is not a number stays as it is, for the schema to reject. */
export const numberOf = (typed: string): number | string => (/^\d+$/.test(typed.trim()) ? Number(typed) : typed);

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

/** The rest of the audience, in percent; null if the shares are invalid or exceed 100%. */
export function restOf(test: DraftTest): number | null {
  const shares = sharesOf(test).map(({ share }) => numberOf(share));
  const sum = shares.reduce<number>((total, share) => (typeof share === 'number' ? total + share : Number.NaN), 0);
  return sum <= 100 ? 100 - sum : null;
}

/** About how many of the contacts each variant gets, and how many are in no share; null if there is no test or the shares are not valid. */
export function armsOf(
  contacts: number,
  test: DraftVariants,
): { arms: { name: string; contacts: number }[]; rest: number } | null {
  if (test === null || restOf(test) === null) return null;
  const arms = sharesOf(test).map(({ name, share }) => ({
    name,
    contacts: expectedShare(contacts, Number(share)),
  }));
  return {
    arms,
    rest: Math.max(
      0,
      arms.reduce((left, arm) => left - arm.contacts, contacts),
    ),
  };
}
