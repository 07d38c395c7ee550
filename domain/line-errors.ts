/** Why a line of a contact list is invalid, by the code of its error. */
export const lineErrors = {
  line_too_long: 'is longer than an id can be',
  line_not_utf8: 'is not UTF-8',
  line_not_one_id: 'must be one contactId',
  line_not_csv: 'has quotes in the wrong place',
  line_without_column: 'has no contactId in its column',
  id_wrong_length: 'must have 1 to 512 bytes',
  id_with_nul: 'must not contain NUL',
  id_rewritten: 'is a number that a spreadsheet has shortened',
} as const;
export type LineErrorCode = keyof typeof lineErrors;

/** The maximum number of invalid lines listed in a response. */
export const NAMED_LINES = 1000;

/** The maximum number of characters of an invalid line that its error shows. */
export const SHOWN_CHARACTERS = 80;
