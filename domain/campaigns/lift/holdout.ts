/** How much of an audience may be held back as a control group, in whole percents. */
export const HOLDOUT_PERCENT = { least: 1, most: 50 } as const;

/** About how many of so many contacts are held back: each is drawn on its own. */
export const expectedControl = (contacts: number, holdoutPercent: number | null): number =>
  Math.round((contacts * (holdoutPercent ?? 0)) / 100);
