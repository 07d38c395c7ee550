import type { Campaign } from '../../../../../domain/api/campaign.ts';
import { canonical } from '../draft/canonical.ts';
import { audienceOf, isNobody } from '../draft/audience.ts';
import { instantOf } from '../draft/date-time.ts';
import type { Draft } from '../draft/draft.ts';

/** A warning: a locale key under `review.warning`, with the values for its text. */
export interface Warning {
  key: 'insecureLink' | 'endBeforeStart' | 'startInPast' | 'sameAudience' | 'nobody';
  params: Record<string, string>;
}

const twoDays = 2 * 86_400_000;

function linksOf(draft: Draft): string[] {
  return draft.cards.flatMap(({ url, buttons }) => [
    url,
    ...buttons.filter(({ kind }) => kind === 'Url').map((button) => button.url),
  ]);
}

/** Whether it ended before anybody got it. */
const reachedNobody = ({ status, summary }: Campaign) =>
  (status === 'cancelled' || status === 'failed') && summary.sent === 0;

/** Warnings do not block sending: the operator decides. `recent` are campaigns to compare the audience with. */
export function warningsOf(
  draft: Draft,
  {
    now,
    reachable,
    recent,
    ownId,
  }: { now: Date; reachable: number | null; recent: readonly Campaign[]; ownId: string | null },
): Warning[] {
  const found: Warning[] = linksOf(draft)
    .filter((url) => url.trim().toLowerCase().startsWith('http:'))
    .map((url) => ({ key: 'insecureLink', params: { url: url.trim() } }));
  const start = draft.start ? instantOf(draft.start) : now;
  const end = draft.end ? instantOf(draft.end) : null;
  if (start && end && end <= start) found.push({ key: 'endBeforeStart', params: {} });
  if (draft.start && start && start < now) found.push({ key: 'startInPast', params: {} });
  if (reachable === 0) found.push({ key: 'nobody', params: {} });

  const audience = audienceOf(draft.audience);
  const alike = recent.find(
    (campaign) =>
      campaign.id !== ownId &&
      campaign.sentAt !== null &&
      !reachedNobody(campaign) &&
      now.getTime() - Date.parse(campaign.sentAt) < twoDays &&
      !isNobody(audience) &&
      canonical(campaign.audience) === canonical(audience),
  );
  if (alike) found.push({ key: 'sameAudience', params: { name: alike.name } });
  return found;
}
