import type { Message } from '#domain/api/messages.ts';
import { PENDING_CLICK_TOKEN } from '../revenue/tracked-link.ts';
import { type LinkedCampaign, linkParameters } from '../templates/utm.ts';
import { type AsWritten, sentLink } from './sent-link.ts';

/** What of a campaign says what its links get; `revenueWindowDays` null: no click token. */
export interface LinkingCampaign extends LinkedCampaign {
  revenueWindowDays: number | null;
}

/** The links that are going to be sent as they are written, each with its place under that of its messages, and why. */
export function linksAsWritten(
  campaign: LinkingCampaign,
  written: readonly { path: string; messages: readonly Message[] }[],
): { path: string; url: string; why: AsWritten }[] {
  const tokenOf = campaign.revenueWindowDays === null ? undefined : () => PENDING_CLICK_TOKEN;
  const parametersOf = linkParameters(campaign, tokenOf);
  return written.flatMap(({ path, messages }) =>
    messages.flatMap((message, messageIndex) => {
      if (message.type !== 'buttons') return [];
      return message.actions.flatMap((action, actionIndex) => {
        if (action.type !== 'Url') return [];
        const { asWritten: why } = sentLink(action, parametersOf({ messageIndex, actionIndex }));
        if (why === null) return [];
        return [{ path: `${path}/${messageIndex}/actions/${actionIndex}/url`, url: action.url, why }];
      });
    }),
  );
}
