/** How many messages may follow a campaign. */
export const STEPS_AT_MOST = 3;

/** How long a step may wait, in its unit. */
export const STEP_DELAY = { least: 1, most: 365 } as const;

export const delayUnits = ['hours', 'days'] as const;
export type DelayUnit = (typeof delayUnits)[number];

/** Whom a step is for, of those whom the message before it reached. */
export const stepOutcomes = ['clicked', 'not_clicked', 'conversed', 'not_conversed'] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

/**
 * Where a step is. `draft`: the campaign was not sent. `approval`: it was sent, and its campaign waits for another operator.
 * `skipped`: it was due, and could not be sent. `cancelled`: it will not be sent.
 */
export const stepStates = ['draft', 'waiting', 'sent', 'approval', 'skipped', 'cancelled'] as const;
export type StepState = (typeof stepStates)[number];
