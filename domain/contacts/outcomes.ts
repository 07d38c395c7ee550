/**
 * What became of a contact in a campaign. `received`: the platform delivered the newest of the contact's sub-tasks;
 * `converted`: a rule gave the contact a tag because of the campaign; `held_back`: it is in the control group, and was not sent to.
 */
export const contactOutcomes = [
  'received',
  'not_received',
  'clicked',
  'not_clicked',
  'conversed',
  'converted',
  'held_back',
] as const;
export type ContactOutcome = (typeof contactOutcomes)[number];
