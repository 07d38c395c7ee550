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

const fieldAt = {
  comma: /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(?:,|$)/y,
  semicolon: /(?:\s*"((?:[^"]|"")*)"\s*|([^";]*))(?:;|$)/y,
  tab: /(?:[^\S\t]*"((?:[^"]|"")*)"[^\S\t]*|([^"\t]*))(?:\t|$)/y,
} as const;

/** The cells of one line: bare, or in quotes with inner quotes doubled. Null if the quotes are in the wrong place. */
export function cellsOf(line: string, separator: Separator): string[] | null {
  const field = fieldAt[separator];
  const cells: string[] = [];
  field.lastIndex = 0;
  for (;;) {
    const match = field.exec(line);
    if (!match) return null;
    cells.push(match[1]?.replaceAll('""', '"') ?? (match[2] ?? '').trim());
    if (!match[0].endsWith(separators[separator])) return cells;
    // A bare cell at the end of the line matches there, even if it is empty.
    if (field.lastIndex === line.length) return [...cells, ''];
  }
}

const idNames = new Set(['contactid', 'userid', 'uid', 'id', '聯絡人編號', '編號']);
const normalised = (cell: string) => cell.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Which cell of a header names the ids of contacts, as our own exports do; -1 if none does. */
export function contactIdCell(cells: readonly string[]): number {
  return cells.findIndex((cell) => normalised(cell) === 'contactid');
}

/** Whether the first line reads like the names of what the lines below have digits in. */
function looksLikeHeader(first: string, below: readonly string[]): boolean {
  const withDigits = below.filter((cell) => /\d/.test(cell)).length;
  return !/\d/.test(first) && below.length > 0 && withDigits * 2 > below.length;
}

function separatorOf(lines: readonly string[]): Separator {
  const widths = (separator: Separator) => lines.map((line) => cellsOf(line, separator)?.length ?? 0);
  const separates = (separator: Separator) => {
    const [first = 0, ...others] = widths(separator);
    return first > 1 && others.filter((width) => width === first).length * 2 >= others.length;
  };
  return (['tab', 'semicolon', 'comma'] as const).find(separates) ?? 'comma';
}

/** Guesses the layout of a file from its first lines, without blank ones; a person sees the guess and may change it. */
export function guessLayout(lines: readonly string[]): CsvLayout {
  const separator = separatorOf(lines);
  const [first = [], ...below] = lines.map((line) => cellsOf(line, separator) ?? []);
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
