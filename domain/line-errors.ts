/** Why a line of a contact list is invalid, by the code of its error. */
export const lineErrors = {
  line_too_long: 'is longer than an id can be',
  line_not_utf8: 'is not UTF-8',
  line_not_one_id: 'must be one contactId',
  id_wrong_length: 'must have 1 to 512 bytes',
  id_with_nul: 'must not contain NUL',
} as const;
export type LineErrorCode = keyof typeof lineErrors;

/** The maximum number of invalid lines listed in a response. */
export const NAMED_LINES = 100;
