/** Messages of an automation, one after the other, at most. */
export const AUTOMATION_STEPS = 5;

/** The longest delay of a step, in minutes: 90 days. */
export const LONGEST_DELAY_MINUTES = 129_600;

/** A step that has been due for longer is not sent any more. */
export const LATE_AFTER_MS = 24 * 60 * 60_000;
