export const automationStatuses = ['draft', 'active', 'paused', 'ended'] as const;
export type AutomationStatus = (typeof automationStatuses)[number];

export const automationEntryStatuses = ['waiting', 'sent', 'skipped', 'unknown'] as const;
export type AutomationEntryStatus = (typeof automationEntryStatuses)[number];

/** Why an entry, or a step, is skipped. */
export const automationSkipReasons = [
  'duplicate',
  'held_back',
  'control_group',
  'filter',
  'quiet',
  'late',
  'exit',
  'condition',
  'no_case',
  'unreachable',
  'limit',
  'refused',
  'erased',
  'ended',
  'uninstalled',
] as const;
export type AutomationSkipReason = (typeof automationSkipReasons)[number];
