import { computed } from 'vue';
import type { Campaign } from '#domain/api/campaign.ts';
import { messagesByPlace } from '#domain/campaigns/variants/variants.ts';
import { useListFilters } from '#web/composables/use-list-filters.ts';

/** Which clicks of a campaign, as the API takes it. */
export interface ClickFilter {
  messageIndex?: number;
  actionIndex?: number;
  bizEventCode?: string;
}

/** The button at a place, as the address names it: `0.1` is the second button of the first message. */
export const buttonKey = (messageIndex: number, actionIndex: number): string => `${messageIndex}.${actionIndex}`;

/** The buttons of a campaign, by their names in the address. */
export function buttonsOf(
  content: Pick<Campaign, 'messages' | 'messagesBy' | 'variants'>,
): { value: string; label: string }[] {
  return messagesByPlace(content).flatMap((message, messageIndex) =>
    message?.type === 'buttons'
      ? message.actions.map(({ label }, actionIndex) => ({ value: buttonKey(messageIndex, actionIndex), label }))
      : [],
  );
}

/** The button that the address names; nothing if it names none. */
export function buttonFilterOf(key: string | undefined): Pick<ClickFilter, 'messageIndex' | 'actionIndex'> {
  const [, message, action] = /^(\d{1,4})\.(\d{1,4})$/.exec(key ?? '') ?? [];
  return message !== undefined && action !== undefined
    ? { messageIndex: Number(message), actionIndex: Number(action) }
    : {};
}

/** The filters of the list of clicks, kept in the address. */
export function useClickFilter() {
  const { filters, select, cursor, isFiltered } = useListFilters({ button: 'text', code: 'text' });
  const filter = computed<ClickFilter>(() => ({
    ...buttonFilterOf(filters.button),
    ...(filters.code && { bizEventCode: filters.code }),
  }));
  return { filters, filter, select, cursor, isFiltered };
}
