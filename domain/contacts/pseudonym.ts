const PREFIX = 'erased:';

/** What stands for an erased contact in clicks, conversations and snapshots. It says nothing about whom it stands for. */
export const newPseudonym = (): string => `${PREFIX}${crypto.randomUUID()}`;

const UUID_PARTS = [8, 4, 4, 4, 12];

/** A pattern of SQL's `like` for pseudonyms: the prefix and a UUID. No platform has ids of that form. */
export const PSEUDONYM_PATTERN = `${PREFIX}${UUID_PARTS.map((length) => '_'.repeat(length)).join('-')}`;

// oxlint-disable-next-line no-restricted-globals -- of a constant
const pseudonym = new RegExp(`^${PSEUDONYM_PATTERN.replaceAll('_', '.')}$`);

/** Whether it stands for an erased contact. */
export const isPseudonym = (contactId: string): boolean => pseudonym.test(contactId);
