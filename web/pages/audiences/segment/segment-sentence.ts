import type { Campaign } from '#domain/api/campaign.ts';
import type {
  ProfileTest,
  Segment,
  SegmentCampaigns,
  SegmentClicks,
  SegmentCondition,
  SegmentEntry,
  SegmentTimes,
} from '#domain/api/segments.ts';

/** The language of a sentence, and the names in it. */
export interface SegmentWords {
  t: (key: string, named: Record<string, unknown>, plural?: number) => string;
  number: (value: number) => string;
  /** One of several: “A, B or C”. */
  oneOf: (names: string[]) => string;
  tagName: (tagId: string) => string;
  /** Of a saved list. */
  listName: (audienceId: string) => string;
  /** Those without a name are shown by id. */
  campaigns: ReadonlyMap<string, Pick<Campaign, 'name' | 'messages'>>;
}

/** How many items of a longer list are named. */
const SHOWN = 5;

type Mood = 'is' | 'isNot';

function conditionsIn(part: Segment): SegmentCondition[] {
  if ('all' in part) return part.all.flatMap(conditionsIn);
  if ('any' in part) return part.any.flatMap(conditionsIn);
  return 'not' in part ? conditionsIn(part.not) : [part];
}

function campaignsIn(part: SegmentCondition): SegmentCampaigns | null {
  if ('reached' in part) return part.reached;
  if ('conversed' in part) return part.conversed;
  return 'clicked' in part ? part.clicked.campaigns : null;
}

/** The campaigns that a sentence names. */
export const namedCampaigns = (segment: Segment): string[] =>
  conditionsIn(segment).flatMap((part) => {
    const campaigns = campaignsIn(part);
    return campaigns && 'campaignIds' in campaigns ? campaigns.campaignIds.slice(0, SHOWN) : [];
  });

/** The saved lists that a sentence names. */
export const namedLists = (segment: Segment): string[] =>
  conditionsIn(segment).flatMap((part) => ('inList' in part && part.inList.audienceId ? [part.inList.audienceId] : []));

/** The button that clicks are counted of, by its label if one campaign says what it is. */
function createButtonText({ t, number, campaigns: known }: SegmentWords) {
  return ({ campaigns, messageIndex, actionIndex }: SegmentClicks): string => {
    if (messageIndex === undefined && actionIndex === undefined) return t('segments.anyButton', {});
    if (actionIndex === undefined) return t('segments.message', { message: number((messageIndex ?? 0) + 1) });
    const [only, ...others] = 'campaignIds' in campaigns ? campaigns.campaignIds : [];
    const message = others.length === 0 && only ? known.get(only)?.messages?.[messageIndex ?? 0] : undefined;
    const name = message?.type === 'buttons' ? message.actions[actionIndex]?.label : undefined;
    if (name !== undefined) return t('segments.quoted', { name });
    return t('segments.button', { button: number(actionIndex + 1), message: number((messageIndex ?? 0) + 1) });
  };
}

/** How often, as “at least 2 times”. */
function timesText({ t, number }: SegmentWords, { gte = 0, lte }: SegmentTimes): string {
  const [least, most] = [number(gte), number(lte ?? 0)];
  if (lte === undefined) return t('segments.times.atLeast', { least }, gte);
  if (lte === 0) return t('segments.times.never', {});
  if (gte === 0) return t('segments.times.atMost', { most }, lte);
  return gte === lte ? t('segments.times.exactly', { most }, lte) : t('segments.times.between', { least, most }, lte);
}

function createConditionText(words: SegmentWords) {
  const { t, number, oneOf, tagName, listName, campaigns: known } = words;
  const quoted = (name: string) => t('segments.quoted', { name: name || '…' });
  const buttonText = createButtonText(words);

  function listed(names: string[]): string {
    const rest = names.length - SHOWN;
    const more = rest > 0 ? [t('segments.more', { count: number(rest) }, rest)] : [];
    return oneOf([...names.slice(0, SHOWN).map(quoted), ...more]) || '…';
  }
  function campaignsText(campaigns: SegmentCampaigns): string {
    if ('campaignIds' in campaigns) return listed(campaigns.campaignIds.map((id) => known.get(id)?.name ?? id));
    const count = Number(campaigns.lastDays);
    return t('segments.recent', { count: number(count) }, count);
  }
  function profileText({ field: name, name: attribute = '', test }: ProfileTest, mood: Mood): string {
    const field = name === 'attribute' ? t('segments.attribute', { name: attribute }) : t(`segments.field.${name}`, {});
    // What is not unequal is equal, and the other way around.
    if (test.op === 'ne') {
      const other = mood === 'is' ? 'isNot' : 'is';
      return t(`segments.${other}.eq`, { field, value: quoted(test.value) });
    }
    if (test.op === 'days_ago') {
      const days = { from: number(Number(test.from)), to: number(Number(test.to)) };
      return t(`segments.${mood}.days_ago`, { field, ...days });
    }
    const value =
      test.op === 'eq'
        ? quoted(test.value)
        : test.op === 'in'
          ? listed(test.values)
          : test.op === 'exists'
            ? ''
            : test.date || '…';
    return t(`segments.${mood}.${test.op}`, { field, value });
  }

  function entryText(entry: SegmentEntry, mood: Mood): string {
    if ('lastDays' in entry) {
      const count = Number(entry.lastDays);
      return t(`segments.${mood}.enteredRecently`, { count: number(count) }, count);
    }
    if ('before' in entry) return t(`segments.${mood}.enteredBefore`, { value: entry.before || '…' });
    return t(`segments.${mood}.enteredAfter`, { value: entry.after || '…' });
  }
  function plainText(part: SegmentCondition, mood: Mood): string {
    if ('inList' in part) {
      const { audienceId } = part.inList;
      return t(`segments.${mood}.inList`, { list: quoted(audienceId && listName(audienceId)) });
    }
    if ('entered' in part) return entryText(part.entered, mood);
    if ('tag' in part) return t(`segments.${mood}.tag`, { tag: quoted(part.tag && tagName(part.tag)) });
    if ('profile' in part) return profileText(part.profile, mood);
    if ('reached' in part) return t(`segments.${mood}.reached`, { campaigns: campaignsText(part.reached) });
    if ('conversed' in part) return t(`segments.${mood}.conversed`, { campaigns: campaignsText(part.conversed) });
    const { campaigns, bizEventCode: code } = part.clicked;
    const clicked = { campaigns: campaignsText(campaigns), button: buttonText(part.clicked) };
    if (code === undefined) return t(`segments.${mood}.clicked`, clicked);
    return t(`segments.${mood}.clickedCode`, { ...clicked, code: quoted(code) });
  }
  function timesOf(part: SegmentCondition): SegmentTimes | undefined {
    if ('reached' in part) return part.reached.times;
    if ('conversed' in part) return part.conversed.times;
    return 'clicked' in part ? part.clicked.times : undefined;
  }

  return (part: SegmentCondition, mood: Mood): string => {
    const times = timesOf(part);
    if (times) {
      const often = t('segments.often', { clause: plainText(part, 'is'), times: timesText(words, times) });
      return mood === 'is' ? often : t('segments.none', { inner: often });
    }
    const clause = plainText(part, mood);
    const isFolded = 'profile' in part && 'fold' in part.profile.test && part.profile.test.fold;
    return isFolded ? t('segments.folded', { clause }) : clause;
  };
}

const isCondition = (part: Segment): part is SegmentCondition => !('all' in part || 'any' in part || 'not' in part);

/** A segment as a sentence: “Contacts who were reached by “Spring” and did not click any button of “Spring””. */
export function segmentSentence(segment: Segment, words: SegmentWords): string {
  const { t } = words;
  const conditionText = createConditionText(words);

  /** Pairwise, so that a language decides how two clauses are joined. */
  const joined = (parts: string[], how: 'all' | 'any'): string =>
    parts.reduceRight((rest, first) => (rest === '' ? first : t(`segments.${how}`, { first, rest })), '') || '…';

  function nested(part: Segment): string {
    const isLong = ('all' in part && part.all.length > 1) || ('any' in part && part.any.length > 1);
    return isLong ? t('segments.group', { inner: clause(part) }) : clause(part);
  }
  function clause(part: Segment): string {
    if ('all' in part) return joined(part.all.map(nested), 'all');
    if ('any' in part) return joined(part.any.map(nested), 'any');
    if (!('not' in part)) return conditionText(part, 'is');
    const inner = part.not;
    return isCondition(inner) ? conditionText(inner, 'isNot') : t('segments.none', { inner: clause(inner) });
  }
  return t('segments.sentence', { clause: clause(segment) });
}
