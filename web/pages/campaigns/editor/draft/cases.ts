import type { Campaign } from '#domain/api/campaign.ts';
import type { CaseField } from '#domain/api/messages-by.ts';
import { CASES } from '#domain/campaigns/cases/limits.ts';
import { cardOf, copyOf, type DraftCard, messageOf, newCard } from './cards.ts';

/** Messages for contacts with one of these values, which are separated by commas as they are typed. */
export interface DraftCase {
  key: string;
  values: string;
  cards: DraftCard[];
}

/** Messages by case as they are edited. */
export interface DraftCases {
  /** Of `otherwise`. */
  key: string;
  by: Extract<CaseField, string> | 'attribute';
  /** Its name, where the field is one. */
  attribute: string;
  cases: DraftCase[];
  /** Whoever is in no case gets nothing. */
  skips: boolean;
  /** What they get otherwise. */
  otherwise: DraftCard[];
}

export const caseFields: readonly DraftCases['by'][] = ['language', 'region', 'channel', 'attribute'];

let keys = 0;
const nextKey = () => `c${(keys += 1)}`;

export const newCase = (cards: DraftCard[] = [newCard('buttons')]): DraftCase => ({
  key: nextKey(),
  values: '',
  cards,
});

/** What the editor suggests: the messages that there are for everybody, and a copy of them for one language. */
export const newCases = (cards: DraftCard[]): DraftCases => ({
  key: nextKey(),
  by: 'language',
  attribute: '',
  cases: [newCase(cards.map(copyOf))],
  skips: false,
  otherwise: cards,
});

export const mayAddCase = ({ cases }: DraftCases): boolean => cases.length < CASES;

/** Stored messages by case as the editor shows them; null without any. */
export function draftCasesOf(messagesBy: Campaign['messagesBy']): DraftCases | null {
  if (!messagesBy) return null;
  const { field, cases, otherwise } = messagesBy;
  return {
    key: nextKey(),
    by: typeof field === 'string' ? field : 'attribute',
    attribute: typeof field === 'string' ? '' : field.attribute,
    cases: cases.map(({ values, messages }) => ({
      key: nextKey(),
      values: values.join(', '),
      cards: messages.map(cardOf),
    })),
    skips: otherwise === 'skip',
    otherwise: otherwise === 'skip' ? [newCard('buttons')] : otherwise.map(cardOf),
  };
}

/** The values of a case, each once. */
export const valuesOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[,，、\n]/)
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
];

/** As the API expects them, whether valid or not; null without cases. */
export function messagesByOf(cases: DraftCases | null): Record<string, unknown> | null {
  if (cases === null) return null;
  return {
    field: cases.by === 'attribute' ? { attribute: cases.attribute.trim() } : cases.by,
    cases: cases.cases.map(({ values, cards }) => ({ values: valuesOf(values), messages: cards.map(messageOf) })),
    otherwise: cases.skips ? 'skip' : cases.otherwise.map(messageOf),
  };
}

/** Everything that messages by case may say, `otherwise` first; its place in the draft. */
export const casesIn = ({ key, skips, otherwise, cases }: DraftCases): (DraftCase & { place: string })[] => [
  { key, values: '', cards: skips ? [] : otherwise, place: 'messagesBy/otherwise' },
  ...cases.map((one, index) => ({ ...one, place: `messagesBy/cases/${index}/messages` })),
];
