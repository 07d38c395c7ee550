/** How many labels a campaign may have, and their length. */
export const LABELS = { most: 10, characters: 50 } as const;
