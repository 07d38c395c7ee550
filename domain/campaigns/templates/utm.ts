import type { Message } from '#domain/api/messages.ts';
import { type Parameter, sentLink } from '../links/sent-link.ts';
import { CLICK_TOKEN } from '../revenue/tracked-link.ts';

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

/** The place of a link: its message, and its button in that. */
export interface LinkPlace {
  messageIndex: number;
  actionIndex: number;
}

/**
 * The parameters of one link. In a pattern `{campaign}` is the campaign's name, `{message}` and `{button}` are the numbers of the
 * link's place, from 1.
 */
export function utmParameters(pattern: Utm, campaign: string, { messageIndex, actionIndex }: LinkPlace): Parameter[] {
  const places: Record<string, string> = {
    campaign,
    message: String(messageIndex + 1),
    button: String(actionIndex + 1),
  };
  return utmNames.flatMap((name): Parameter[] => {
    const filled = pattern[name]?.replaceAll(
      /\{(campaign|message|button)\}/g,
      (written, place: string) => places[place] ?? written,
    );
    return filled ? [[`utm_${name}`, filled]] : [];
  });
}

/** The messages with the parameters in each link of a button that takes them. */
export function tagLinks(messages: readonly Message[], pattern: Utm, campaign: string): Message[] {
  return messages.map((message, messageIndex) => {
    if (message.type !== 'buttons') return message;
    const actions = message.actions.map((action, actionIndex) => {
      if (action.type !== 'Url') return action;
      const parameters = utmParameters(pattern, campaign, { messageIndex, actionIndex });
      return { ...action, url: sentLink(action, parameters).url };
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

/** The name that its links have: a later change of the campaign's name does not reach them. */
const nameInLinks = ({ sentName, name }: LinkedCampaign): string => sentName ?? name;

/** The messages as their links are sent, without click tokens. */
export const linkedMessages = (messages: Message[], campaign: LinkedCampaign): Message[] =>
  campaign.utm ? tagLinks(messages, campaign.utm, nameInLinks(campaign)) : messages;

/** What a link of the campaign gets when it is sent; `tokenOf` where links have click tokens. */
export const linkParameters =
  (campaign: LinkedCampaign, tokenOf?: (place: LinkPlace) => string) =>
  (place: LinkPlace): Parameter[] => [
    ...(campaign.utm ? utmParameters(campaign.utm, nameInLinks(campaign), place) : []),
    ...(tokenOf ? [[CLICK_TOKEN, tokenOf(place)] as const] : []),
  ];
