/** What can have become of a contact, in the order in which it is shown: done first, what is to come last. */
export const outcomeNames = [
  'delivered',
  'sent',
  'failed',
  'heldBack',
  'uncounted',
  'refused',
  'cancelled',
  'unknown',
  'notYet',
] as const;
export type OutcomeName = (typeof outcomeNames)[number];
