/** What stands between ids: blanks of any kind, a byte order mark among them, invisible marks, and commas of either script. */
const between = /[\s,;，；、\u200B\u2060]+/;

/** Ids as they stand in pasted text: one a line, or between commas, semicolons or blanks; in order, with repeats. */
export function writtenIds(text: string): string[] {
  return text.split(between).filter(Boolean);
}
