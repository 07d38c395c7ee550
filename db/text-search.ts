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
