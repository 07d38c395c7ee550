const LONGEST_JITTER_MS = 10_000;

/** At least `ms`, and up to a tenth longer, or 10 s: whoever was told to wait for the same time does not return at once. */
// oxlint-disable-next-line no-restricted-properties -- it only spreads work
export const withJitter = (ms: number): number => Math.ceil(ms + Math.random() * Math.min(ms / 10, LONGEST_JITTER_MS));
