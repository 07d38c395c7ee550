import type { Tag } from '#domain/api/tags.ts';
import type { ConditionField } from '#domain/rules/condition-fields.ts';
import type { Comparison, MatchCondition } from '#domain/rules/match-condition.ts';
import type { RuleTrigger } from '#domain/rules/triggers.ts';
import type english from '#web/locales/en.json';

/** What a sentence is about. */
export interface SpokenRule {
  triggerEvent: RuleTrigger;
  matchCondition: MatchCondition;
  days: number | null;
  campaignId: string | null;
  targetTagId: string;
  /** Null while none is chosen. */
  targetTag: Pick<Tag, 'name' | 'kind' | 'expiresAt'> | null;
}

/** A piece of a sentence: plain text, or something named in it that is highlighted and may be a link. */
export interface Segment {
  kind: 'text' | 'value' | 'tag' | 'campaign';
  text: string;
  /** Id of the tag or campaign. */
  id?: string;
}

/** The language of a sentence. */
export interface RuleLabels {
  t: (key: string, named: Record<string, unknown>, plural?: number) => string;
  number: (value: number) => string;
  dateTime: (at: string) => string;
  /** Names of campaigns by id; those without one are shown by id. */
  campaigns: ReadonlyMap<string, string>;
}

type English = (typeof english)['rules'];

/** Keys of the locales contain no dots. A trigger without a name and a sentence does not compile. */
export const triggerKeys: Record<RuleTrigger, keyof English['trigger'] & keyof English['sentence']> = {
  'notice.clicked': 'noticeClicked',
  'session.created': 'sessionCreated',
  'session.closed': 'sessionClosed',
  no_response_for_N_days: 'noResponse',
};

const shownValues = 5;
/** Between two values a comma or blank separates; inside one it must not look like that. */
const separates = /[\s,，、]/;
const mark = /\uE000(\d+)\uE001/;

/**
 * Describes rules in one language. Translations put the named things wherever their grammar needs them: each passes
 * through the messages as a mark of two private-use characters, and the finished text is split at the marks. Of a longer
 * list, the first `most` values are named.
 */
function createSpeaker({ t, number, campaigns }: RuleLabels, most = shownValues) {
  const named: Segment[] = [];
  const point = (segment: Segment): string => `\uE000${named.push(segment) - 1}\uE001`;
  const value = (text: string) => point({ kind: 'value', text });
  const campaign = (id: string) => point({ kind: 'campaign', text: campaigns.get(id) ?? id, id });

  function valueOf(field: ConditionField, given: string | number): string {
    if (field === 'campaignId') return campaign(String(given));
    return value(typeof given === 'number' ? number(given) : given);
  }

  function listed(field: ConditionField, given: string | number): string {
    const named = valueOf(field, given);
    const isAmbiguous = field !== 'campaignId' && typeof given === 'string' && separates.test(given);
    return isAmbiguous ? t('rules.clause.quoted', { value: named }) : named;
  }

  function comparison(part: Comparison): string {
    const field = t(`rules.subject.${part.field}`, {});
    if (part.op !== 'in') return t(`rules.clause.${part.op}`, { field, value: valueOf(part.field, part.value) });
    const shown = part.value.slice(0, most).map((one) => listed(part.field, one));
    const rest = part.value.length - shown.length;
    const more = rest > 0 ? [t('rules.clause.more', { count: number(rest) }, rest)] : [];
    return t('rules.clause.in', { field, values: joined([...shown, ...more], 'listed') || '–' });
  }

  /** Pairwise, so that a language decides how two clauses are joined. */
  function joined(parts: string[], how: 'all' | 'any' | 'listed'): string {
    return parts.reduceRight((rest, first) => (rest === '' ? first : t(`rules.join.${how}`, { first, rest })), '');
  }

  const isGroup = (part: MatchCondition) =>
    ('all' in part && part.all.length > 1) || ('any' in part && part.any.length > 1);

  function nested(part: MatchCondition): string {
    const inner = clause(part);
    return isGroup(part) ? t('rules.clause.group', { inner }) : inner;
  }

  function clause(part: MatchCondition): string {
    if ('not' in part) return t('rules.clause.not', { inner: clause(part.not) });
    if ('all' in part) return joined(part.all.map(nested), 'all') || t('rules.clause.always', {});
    if ('any' in part) return joined(part.any.map(nested), 'any') || t('rules.clause.never', {});
    return comparison(part);
  }

  function segments(text: string): Segment[] {
    return text.split(mark).flatMap((piece, index) => {
      const found = index % 2 === 1 ? named[Number(piece)] : { kind: 'text' as const, text: piece };
      return found && found.text !== '' ? [found] : [];
    });
  }

  return { point, value, listed, clause, nested, joined, campaign, segments };
}

const isEverything = (condition: MatchCondition) => 'all' in condition && condition.all.length === 0;

/** The rule as one readable sentence. */
export function ruleSentence(rule: SpokenRule, words: RuleLabels): Segment[] {
  const { t, number, dateTime } = words;
  const speaker = createSpeaker(words);
  const scope =
    rule.campaignId === null ? [] : [t('rules.clause.campaign', { value: speaker.campaign(rule.campaignId) })];
  // An “and” precedes the condition, so alternatives need brackets.
  const { matchCondition } = rule;
  const conditions = isEverything(matchCondition)
    ? []
    : ['any' in matchCondition ? speaker.nested(matchCondition) : speaker.clause(matchCondition)];
  const { targetTag, days } = rule;
  const end = targetTag?.kind === 'temporary' ? targetTag.expiresAt : null;
  const when = scope.length + conditions.length > 0 ? 'when' : 'any';
  const text = t(
    `rules.sentence.${triggerKeys[rule.triggerEvent]}.${when}${end === null ? 'ForGood' : 'Until'}`,
    {
      condition: speaker.joined([...scope, ...conditions], 'all'),
      tag: speaker.point({ kind: 'tag', text: targetTag?.name ?? '…', id: rule.targetTagId }),
      days: number(days ?? 0),
      end: end === null ? '' : speaker.value(dateTime(end)),
    },
    days ?? 0,
  );
  return speaker.segments(text);
}

/** A condition alone, as it appears in the sentence of its rule, or with every value of its lists. */
export function conditionSentence(condition: MatchCondition, words: RuleLabels, lists?: 'whole'): Segment[] {
  const speaker = createSpeaker(words, lists && Infinity);
  return speaker.segments(speaker.clause(condition));
}

/** One value of a list, as it appears in the sentence of its rule. */
export function valueSentence(field: ConditionField, value: string | number, words: RuleLabels): Segment[] {
  const speaker = createSpeaker(words);
  return speaker.segments(speaker.listed(field, value));
}

/** A sentence without its highlighting. */
export function plain(segments: Segment[]): string {
  return segments.map(({ text }) => text).join('');
}

/** The campaigns that a rule names. */
export function campaignsOf({
  matchCondition,
  campaignId,
}: Pick<SpokenRule, 'matchCondition' | 'campaignId'>): string[] {
  const named = (part: MatchCondition): string[] => {
    if ('all' in part) return part.all.flatMap(named);
    if ('any' in part) return part.any.flatMap(named);
    if ('not' in part) return named(part.not);
    if (part.field !== 'campaignId') return [];
    return part.op === 'in' ? part.value : part.op === 'eq' || part.op === 'ne' ? [part.value] : [];
  };
  return [...new Set([...(campaignId === null ? [] : [campaignId]), ...named(matchCondition)])];
}
