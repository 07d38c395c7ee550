/** Input is matched literally: `%`, `_` and `\` are not wildcards. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/**
 * SQL: the non-ASCII characters of a text as a list; null if there are none. The indexes use exactly this expression.
 */
export const lettersOf = (text: string) =>
  `regexp_split_to_array(nullif(regexp_replace(${text}, '[[:ascii:]]+', '', 'g'), ''), '')`;

/** The characters of the input that an index of `lettersOf` can be searched for: those without case. */
export function indexedLetters(typed: string): string[] {
  const isIndexed = (sign: string) => sign > '\u007f' && sign.toLowerCase() === sign.toUpperCase();
  return [...new Set(typed)].filter(isIndexed);
}

const pairsFrom = (text: string) => `string_to_array(regexp_replace(${text}, '(..)', '\\1' || chr(10), 'g'), chr(10))`;

/**
 * SQL: each pair of neighbouring characters within the lines of a text, in lower case. The indexes use exactly this expression.
 */
export const pairsOf = (text: string) =>
  `(${pairsFrom(`lower(${text})`)} || ${pairsFrom(`substr(lower(${text}), 2)`)})`;

/** SQL: the pairs of the text bound as `typed`, as `pairsOf` has them. */
export const pairsTyped = `array(
  select substr(lower(:typed), n, 2) from generate_series(1, length(lower(:typed)) - 1) as n)`;

/**
 * Whether pairs are all that the input can be found by: it has no trigram in any locale, as ASCII letters and digits do, and
 * none of the characters that are indexed by themselves.
 */
export const isFoundByPairs = (typed: string): boolean =>
  /^..+$/u.test(typed) && !/[0-9a-z]{3}/i.test(typed) && indexedLetters(typed).length === 0;
