/** What is typed is looked for as it stands: `%`, `_` and `\` are no wildcards. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** SQL: each character beyond ASCII of a text, in a list; null where there is none. Indexes have it exactly so. */
export const lettersOf = (text: string) =>
  `regexp_split_to_array(nullif(regexp_replace(${text}, '[[:ascii:]]+', '', 'g'), ''), '')`;

/** The characters of what is typed that an index of `lettersOf` can be asked for: those that are the same in any case. */
export function indexedLetters(typed: string): string[] {
  const isIndexed = (sign: string) => sign > '\u007f' && sign.toLowerCase() === sign.toUpperCase();
  return [...new Set(typed)].filter(isIndexed);
}
