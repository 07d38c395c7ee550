import type { Message } from '#domain/api/messages.ts';

/** Parameters by which a shop's own statistics tell where visitors come from. */
export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type Utm = Partial<Record<(typeof utmNames)[number], string>>;

/** Those that are filled in, without spaces around them. */
export const filledIn = (utm: Utm): Utm =>
  Object.fromEntries(
    utmNames.flatMap((name) => {
      const text = utm[name]?.trim();
      return text ? [[name, text]] : [];
    }),
  );

/** As long as an address may be. */
const LONGEST_URL = 2048;

/**
 * The address with those of the parameters that it does not have yet; every other character stays as it is. One that would be
 * too long gets none.
 */
export function withUtm(url: string, utm: Utm): string {
  const [beforeHash = '', ...afterHash] = url.split('#');
  const hash = afterHash.length > 0 ? `#${afterHash.join('#')}` : '';
  const query = beforeHash.includes('?') ? beforeHash.slice(beforeHash.indexOf('?') + 1) : null;
  const has = new Set(query?.split('&').map((part) => part.split('=')[0]));
  const added = utmNames.flatMap((name) => {
    const value = utm[name];
    const key = `utm_${name}`;
    return value === undefined || value === '' || has.has(key) ? [] : [`${key}=${encodeURIComponent(value)}`];
  });
  if (added.length === 0) return url;
  const between = query === null ? '?' : query === '' || query.endsWith('&') ? '' : '&';
  const tagged = `${beforeHash}${between}${added.join('&')}${hash}`;
  return tagged.length > LONGEST_URL ? url : tagged;
}

/**
 * The messages with the parameters in each link of a button. In a pattern `{campaign}` is the campaign's name, `{message}` and
 * `{button}` are the numbers of the link's place, from 1.
 */
export function tagLinks(messages: readonly Message[], pattern: Utm, campaign: string): Message[] {
  return messages.map((message, messageIndex) => {
    if (message.type !== 'buttons') return message;
    const actions = message.actions.map((action, actionIndex) => {
      if (action.type !== 'Url') return action;
      const places: Record<string, string> = {
        campaign,
        message: String(messageIndex + 1),
        button: String(actionIndex + 1),
      };
      const filled = Object.entries(pattern).map(([name, text]) => [
        name,
        text.replaceAll(/\{(campaign|message|button)\}/g, (written, place: string) => places[place] ?? written),
      ]);
      return { ...action, url: withUtm(action.url, Object.fromEntries(filled) as Utm) };
    });
    return { ...message, actions };
  });
}

/** What says which parameters the links of a campaign get. */
export interface LinkedCampaign {
  utm: Utm | null;
  /** What it was called when it was sent; null before. */
  sentName: string | null;
  name: string;
}

/** The messages as their links are sent, without click tokens: a later change of the campaign's name does not reach them. */
export const linkedMessages = (messages: Message[], { utm, sentName, name }: LinkedCampaign): Message[] =>
  utm ? tagLinks(messages, utm, sentName ?? name) : messages;

/** The address as it was written, of one as it is sent; any other stays as it is. */
export function writtenUrl(messages: readonly Message[], sent: readonly Message[], url: string): string {
  for (const [index, message] of sent.entries()) {
    const written = messages[index];
    if (message.type !== 'buttons' || written?.type !== 'buttons') continue;
    const place = message.actions.findIndex((action) => action.type === 'Url' && action.url === url);
    const action = written.actions[place];
    if (action?.type === 'Url') return action.url;
  }
  return url;
}
