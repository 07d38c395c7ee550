import type { Campaign } from '#domain/api/campaign.ts';
import { campaignMoment } from '#web/components/campaign/moment.ts';
import { type LinkingCampaign, linksAsWritten } from '#domain/campaigns/links/as-written.ts';
import { canonical } from '#domain/json-text.ts';
import { variablesIn } from '#domain/campaigns/templates/texts.ts';
import { repeatedVariants } from '#domain/campaigns/variants/repeated.ts';
import { audienceOf, isNobody } from '../draft/audience.ts';
import { messageOf } from '../draft/cards.ts';
import { instantOf } from '../draft/date-time.ts';
import type { Draft } from '../draft/draft.ts';
import { partsIn, placeAt, variantsIn } from '../draft/variant-list.ts';

/** A warning: a locale key under `review.warning`, with the values for its text. */
export interface Warning {
  key:
    | 'insecureLink'
    | 'linkUntracked'
    | 'linkTooLong'
    | 'variantsAlike'
    | 'variableLeft'
    | 'endBeforeStart'
    | 'startInPast'
    | 'sameAudience'
    | 'sameAudienceScheduled'
    | 'sameAudienceSending'
    | 'nobody';
  params: Record<string, string>;
  /** A time that its text names (ISO 8601). */
  at?: string;
  /** A place in the draft that its text names. */
  place?: string;
}

const twoDays = 2 * 86_400_000;

/** What contacts get as the first message, with its place. */
function writtenIn(draft: Pick<Draft, 'cards' | 'cases' | 'variants'>) {
  const parts = partsIn(draft);
  return parts.length > 0 ? parts : [{ cards: draft.cards, place: placeAt(draft, 0) }];
}

/** Every card that somebody may get. */
const cardsIn = ({ following, ...draft }: Pick<Draft, 'cards' | 'cases' | 'variants' | 'following'>) => [
  ...writtenIn(draft).flatMap(({ cards }) => cards),
  ...following.flatMap((step) => step.cards),
];

/** The links of the messages, each once. */
function linksOf(draft: Draft): string[] {
  const links = cardsIn(draft).flatMap(({ url, buttons }) => [
    url,
    ...buttons.filter(({ kind }) => kind === 'Url').map((button) => button.url),
  ]);
  return [...new Set(links.map((link) => link.trim()))];
}

/** Links that get nothing when they are sent. */
function asWrittenIn(draft: Draft, utm: LinkingCampaign['utm']): Warning[] {
  const { name, revenueWindow, following } = draft;
  const revenueWindowDays = revenueWindow === null ? null : Number(revenueWindow);
  const written = writtenIn(draft).map(({ place, cards }) => ({ path: place, messages: cards.map(messageOf) }));
  const steps = following.map((step, index) => ({
    path: `steps/${index}/messages`,
    messages: step.cards.map(messageOf),
  }));
  const found = linksAsWritten({ utm, name: name.trim(), sentName: null, revenueWindowDays }, [...written, ...steps]);
  return found.map(({ path, why }) => ({
    key: why === 'link_untracked' ? 'linkUntracked' : 'linkTooLong',
    params: {},
    place: path,
  }));
}

/** Variables of a template that have no value would be sent with their braces. */
const variablesLeftIn = (draft: Draft): Warning[] =>
  variablesIn({ campaignName: null, note: null, messages: cardsIn(draft).map(messageOf) }).map((name) => ({
    key: 'variableLeft',
    params: { name: `{{${name}}}` },
  }));

/** A test between variants that say the same says nothing. */
function alikeIn(draft: Draft): Warning[] {
  const all = variantsIn(draft).map(({ name, cards }) => ({ name, messages: cards.map(messageOf) }));
  return repeatedVariants(all).map(({ position, of }) => ({
    key: 'variantsAlike',
    params: { one: all[of]?.name ?? '', other: all[position]?.name ?? '' },
  }));
}

/** The images in the messages, each once. */
export function imagesOf(draft: Pick<Draft, 'cards' | 'cases' | 'variants' | 'following'>): string[] {
  const shown = cardsIn(draft).flatMap(({ type, url, buttons }) => [
    ...(type === 'buttons' || type === 'image' ? [url] : []),
    ...(type === 'buttons' ? buttons.map(({ rest }) => rest.imageUrl ?? '') : []),
  ]);
  return [...new Set(shown.map((url) => url.trim()).filter((url) => URL.canParse(url) && /^https?:/i.test(url)))];
}

/** What an earlier campaign to the same audience has done or will do; null if that is of no importance any more. */
function repetitionOf(campaign: Campaign, now: Date): Warning | null {
  const { name, status, sentAt, summary } = campaign;
  const isOpen = ['scheduled', 'sending', 'paused'].includes(status);
  if (sentAt === null || (!isOpen && summary.sent === 0)) return null;
  const { fact, at } = campaignMoment(campaign);
  const isRecent = now.getTime() - Date.parse(at) < twoDays;
  // The platform may have sent some of it before it says when it began.
  if (fact === 'sent' || summary.sent > 0) return isRecent ? { key: 'sameAudience', params: { name } } : null;
  if (fact === 'due') return { key: 'sameAudienceScheduled', params: { name }, at };
  return { key: 'sameAudienceSending', params: { name } };
}

/** Warnings do not block sending: the operator decides. `recent` are campaigns to compare the audience with. */
export function warningsOf(
  draft: Draft,
  {
    now,
    utm,
    reachable,
    recent,
    ownId,
  }: {
    now: Date;
    /** What its links get. */
    utm: LinkingCampaign['utm'];
    reachable: number | null;
    recent: readonly Campaign[];
    ownId: string | null;
  },
): Warning[] {
  const found: Warning[] = linksOf(draft)
    .filter((url) => url.toLowerCase().startsWith('http:'))
    .map((url) => ({ key: 'insecureLink', params: { url } }));
  found.push(...asWrittenIn(draft, utm), ...variablesLeftIn(draft), ...alikeIn(draft));
  const start = draft.start ? instantOf(draft.start) : now;
  const end = draft.end ? instantOf(draft.end) : null;
  if (start && end && end <= start) found.push({ key: 'endBeforeStart', params: {} });
  if (draft.start && start && start < now) found.push({ key: 'startInPast', params: {} });
  if (reachable === 0) found.push({ key: 'nobody', params: {} });

  const audience = audienceOf(draft.audience);
  if (isNobody(audience)) return found;
  const alike = recent
    .filter((campaign) => campaign.id !== ownId && canonical(campaign.audience) === canonical(audience))
    .map((campaign) => repetitionOf(campaign, now))
    .find((warning) => warning !== null);
  if (alike) found.push(alike);
  return found;
}
