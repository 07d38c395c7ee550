import { isEscaped } from '../csv.ts';

/** What separates the cells of a CSV line. */
export const separators = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = keyof typeof separators;

/** Where the ids of a file are. */
export interface CsvLayout {
  separator: Separator;
  /** Counted from 1; null where each line has to be one id. */
  column: number | null;
  hasHeader: boolean;
}

/** A cell in quotes with inner quotes doubled, one that a spreadsheet wrote as a formula (`="00123"`), or a bare one. */
const fieldAt = {
  comma: /(?:[ \t\r\n\f\v]*"((?:[^"]|"")*)"[ \t\r\n\f\v]*|([^",]*|[ \t]*="[^"]*"[ \t\r\n]*))(?:,|$)/y,
  semicolon: /(?:[ \t\r\n\f\v]*"((?:[^"]|"")*)"[ \t\r\n\f\v]*|([^";]*|[ \t]*="[^"]*"[ \t\r\n]*))(?:;|$)/y,
  tab: /(?:[ \r\n\f\v]*"((?:[^"]|"")*)"[ \r\n\f\v]*|([^"\t]*|[ ]*="[^"]*"[ \r\n]*))(?:\t|$)/y,
} as const;

const opened = /^[ \t\f\v]*"(?:[^"]|"")*$/;

/** What is around the text of a cell: only the blanks of ASCII, since a cell may be of bytes. */
const padding = /^[ \t\r\n\f\v]+|[ \t\r\n\f\v]+$/g;

/**
 * The cells of one line: bare, or in quotes with inner quotes doubled. `open` if the last one is in quotes that do not
 * close in this line, null if quotes are in the wrong place. Works on text as well as on bytes read as Latin-1.
 */
export function readCells(line: string, separator: Separator): string[] | 'open' | null {
  if (!line.includes('"')) return line.split(separators[separator]).map((cell) => cell.replaceAll(padding, ''));
  const field = fieldAt[separator];
  const cells: string[] = [];
  field.lastIndex = 0;
  for (;;) {
    const at = field.lastIndex;
    const match = field.exec(line);
    if (!match) return opened.test(line.slice(at)) ? 'open' : null;
    cells.push(match[1]?.replaceAll('""', '"') ?? (match[2] ?? '').replaceAll(padding, ''));
    if (!match[0].endsWith(separators[separator])) return cells;
    // A bare cell at the end of the line matches there, even if it is empty.
    if (field.lastIndex === line.length) return [...cells, ''];
  }
}

/** The cells of one line; null if its quotes are in the wrong place or do not close. */
export function cellsOf(line: string, separator: Separator): string[] | null {
  const cells = readCells(line, separator);
  return cells === 'open' ? null : cells;
}

/** Blanks of every script, byte order marks, and marks without a width, which no reader of a table sees. */
const around =
  /^[\s\u0085\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+|[\s\u0085\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+$/g;

/** What a person reads in a cell: without what is around it, without the apostrophe of our own exports, `="00123"` as 00123. */
export function readText(cell: string): string {
  const text = cell.replaceAll(around, '');
  if (isEscaped(text)) return text.slice(1);
  return /^="([^"]*)"$/.exec(text)?.[1]?.replaceAll(around, '') ?? text;
}

/** A large number as spreadsheets show and save it: its last digits are lost. */
export const isRewritten = (text: string): boolean => /^-?\d(?:[.,]\d+)?E\+\d+$/.test(text);

/** What the first line of a file may declare to spreadsheets, `sep=;`: null if it is another line, `unknown` for a separator that we do not read. */
export function declaredSeparator(line: string): Separator | 'unknown' | null {
  const declared = /^\uFEFF?"?sep=(.)"?[ \r\n]*$/i.exec(line)?.[1];
  if (declared === undefined) return null;
  return (Object.keys(separators) as Separator[]).find((name) => separators[name] === declared) ?? 'unknown';
}

const idNames = new Set(['contactid', 'userid', 'uid', 'id', '聯絡人編號', '編號']);
const normalised = (cell: string) =>
  readText(cell)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');

/** Which cell of a header names the ids of contacts, as our own exports do; -1 if none does. */
export function contactIdCell(cells: readonly string[]): number {
  return cells.findIndex((cell) => normalised(cell) === 'contactid');
}

/** Whether the first line reads like the names of what the lines below have digits in. */
function looksLikeHeader(first: string, below: readonly string[]): boolean {
  const withDigits = below.filter((cell) => /\d/.test(cell)).length;
  return !/\d/.test(first) && below.length > 0 && withDigits * 2 > below.length;
}

/** How much of a file is looked at to find its layout. */
export const LAYOUT_LINES = 20;

/** The cells of each row, which may go on over several lines; null for a line whose quotes are in the wrong place. */
function rowsOf(lines: readonly string[], separator: Separator): (string[] | null)[] {
  const rows: (string[] | null)[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at + 1;
    let cells = readCells(lines[at] ?? '', separator);
    for (; cells === 'open' && end < lines.length; end += 1)
      cells = readCells(lines.slice(at, end + 1).join('\n'), separator);
    const row = cells === 'open' ? null : cells;
    rows.push(row);
    at = row ? end : at + 1;
  }
  return rows;
}

/** What separates most of the rows into as many cells as the first; `comma` if nothing does. */
export function guessSeparator(lines: readonly string[]): Separator {
  const separates = (separator: Separator) => {
    const [first = 0, ...others] = rowsOf(lines, separator).map((cells) => cells?.length ?? 0);
    return first > 1 && others.filter((width) => width === first).length * 2 >= others.length;
  };
  return (['tab', 'semicolon', 'comma'] as const).find(separates) ?? 'comma';
}

/** Guesses the layout of a file from its first lines, without blank ones; a person sees the guess and may change it. */
export function guessLayout(lines: readonly string[]): CsvLayout {
  const declared = declaredSeparator(lines[0] ?? '');
  const table = declared === null ? lines : lines.slice(1);
  const separator = declared === null || declared === 'unknown' ? guessSeparator(table) : declared;
  const [first = [], ...below] = rowsOf(table, separator).map((cells) => cells ?? []);
  const named = first.findIndex((cell) => idNames.has(normalised(cell)));
  const index = Math.max(named, 0);
  const hasHeader =
    named >= 0 ||
    looksLikeHeader(
      first[index] ?? '',
      below.map((cells) => cells[index] ?? ''),
    );
  return { separator, column: first.length > 1 ? index + 1 : null, hasHeader };
}
