import { randomUUID } from 'node:crypto';

const PREFIX = 'erased:';

/** What stands for an erased contact in clicks, conversations and snapshots. It says nothing about whom it stands for. */
export const newPseudonym = (): string => `${PREFIX}${randomUUID()}`;

/** A pattern of SQL's `like` for pseudonyms: the prefix and a UUID. No platform has ids of that form. */
export const PSEUDONYM_PATTERN = `${PREFIX}${[8, 4, 4, 4, 12].map((length) => '_'.repeat(length)).join('-')}`;
