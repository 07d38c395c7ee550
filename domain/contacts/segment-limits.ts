/** What segments ask of contacts, and how large they may be; without schemas, so that pages that show them stay small. */
export const profileFields = ['channel', 'language', 'region', 'attribute'] as const;
export type ProfileField = (typeof profileFields)[number];

/** The parts that a segment may have in all, and how deep its groups may nest. */
export const SEGMENT_PARTS = 30;
export const SEGMENT_LEVELS = 5;
