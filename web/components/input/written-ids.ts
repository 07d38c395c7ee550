/** Separators between ids: white space including a byte order mark, invisible marks, and commas of either script. */
const between = /[\s,;，；、\u200B\u2060]+/;

/** The ids in pasted text, separated by line breaks, commas, semicolons or blanks; in order, duplicates included. */
export function writtenIds(text: string): string[] {
  return text.split(between).filter(Boolean);
}
