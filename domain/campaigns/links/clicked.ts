import type { Message } from '#domain/api/messages.ts';
import { CLICK_TOKEN } from '../revenue/tracked-link.ts';
import { utmNames } from '../templates/utm.ts';

/** Everything that we may add to a link. */
const ours: ReadonlySet<string> = new Set([CLICK_TOKEN, ...utmNames.map((name) => `utm_${name}`)]);

const nameOf = (part: string): string => [...new URLSearchParams(`?${part}`).keys()][0] ?? '';

/**
 * An address as browsers write it, without the parameters `left` and without empty parts of its query; what is no address stays
 * as it is.
 */
export function normalForm(url: string, left: ReadonlySet<string> = new Set([CLICK_TOKEN])): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  const query = parsed.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !left.has(nameOf(part)));
  parsed.search = query.length > 0 ? `?${query.join('&')}` : '';
  return parsed.href;
}

/** The link of a button: as it was written, and as it was sent, without a click token. */
export interface Link {
  messageIndex: number;
  actionIndex: number;
  written: string;
  sent: string;
}

/** What was sent: messages as they are written, and with their links as they were sent, without click tokens. */
export interface SentMessages {
  messages: readonly Message[];
  sentMessages: readonly Message[];
}

const linksOf = ({ messages, sentMessages }: SentMessages): Link[] =>
  messages.flatMap((message, messageIndex) => {
    const other = sentMessages[messageIndex];
    if (message.type !== 'buttons' || other?.type !== 'buttons') return [];
    return message.actions.flatMap((action, actionIndex) => {
      const sent = other.actions[actionIndex];
      if (action.type !== 'Url' || sent?.type !== 'Url') return [];
      return [{ messageIndex, actionIndex, written: action.url, sent: sent.url }];
    });
  });

/** The clicked address without what we may have added to this link. */
function withoutOurs(url: string, written: string): string {
  const own = URL.canParse(written) ? new URL(written).searchParams : new URLSearchParams();
  return normalForm(url, new Set([...ours].filter((name) => name === CLICK_TOKEN || !own.has(name))));
}

/**
 * The links that a click can be of, among the buttons at its place: those that were sent as it says, else those of the same
 * normal form, else those that are written so without the parameters that we add. Whoever reports a click may have normalised
 * its address.
 */
export function clickedLinks(sent: SentMessages, { url, actionIndex }: { url: string; actionIndex: number }): Link[] {
  const links = linksOf(sent).filter((link) => link.actionIndex === actionIndex);
  const asSent = links.filter((link) => link.sent === url);
  if (asSent.length > 0) return asSent;
  const normal = normalForm(url);
  const alike = links.filter((link) => normalForm(link.sent) === normal);
  return alike.length > 0 ? alike : links.filter((link) => normalForm(link.written) === withoutOurs(url, link.written));
}
