/** Which clicks of a campaign; all of them without any. */
export interface ClickFilter {
  messageIndex?: number | undefined;
  actionIndex?: number | undefined;
  bizEventCode?: string | undefined;
}

/** SQL conditions on clicks, each after an `and`; the filter's fields are bound by their names after `prefix`. */
export function clickConditions({ messageIndex, actionIndex, bizEventCode }: ClickFilter, prefix = ''): string {
  return [
    ...(messageIndex === undefined ? [] : [`and message_index = :${prefix}messageIndex`]),
    ...(actionIndex === undefined ? [] : [`and action_index = :${prefix}actionIndex`]),
    ...(bizEventCode === undefined ? [] : [`and biz_event_code = :${prefix}bizEventCode`]),
  ].join(' ');
}
