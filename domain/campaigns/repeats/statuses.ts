export const repeatStatuses = ['active', 'paused', 'ended'] as const;
export type RepeatStatus = (typeof repeatStatuses)[number];
