const DAY_MS = 86_400_000;

/** For so long a list that a file has replaced can be put back. */
export const REPLACED_DAYS = 30;

/** Until when what was replaced at this time can be put back. */
export const restorableUntil = (replacedAt: Date): Date => new Date(replacedAt.getTime() + REPLACED_DAYS * DAY_MS);

export const isReplacedKept = (replacedAt: Date | null, now: Date): boolean =>
  replacedAt !== null && now < restorableUntil(replacedAt);
