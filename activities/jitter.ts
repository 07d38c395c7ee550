const LONGEST_JITTER_MS = 10_000;

/** `ms` plus jitter of up to a tenth, or 10 s, so that callers with the same wait do not return at once. */
// oxlint-disable-next-line no-restricted-properties -- it only spreads work
export const withJitter = (ms: number): number => Math.ceil(ms + Math.random() * Math.min(ms / 10, LONGEST_JITTER_MS));
