import { idFits } from '../api/primitives.ts';
import { type FieldError, Problem } from '../api/problem.ts';
import { type LineErrorCode, lineErrors, NAMED_LINES, SHOWN_CHARACTERS } from '../line-errors.ts';
import {
  cellsOf,
  contactIdCell,
  declaredSeparator,
  guessSeparator,
  isRewritten,
  LAYOUT_LINES,
  readCells,
  readText,
  type Separator,
} from './csv.ts';
import { encodingOf, TELLING_BYTES } from './text-encoding.ts';

/** The maximum number of lines with an id; blank lines do not count. */
const MAXIMUM_CONTACTS = 1_000_000;

/** Ids passed on per batch. */
const BATCH = 10_000;

/** Longer than any quoted id in UTF-8: the rest of such a line is dropped. */
const MAXIMUM_LINE_BYTES = 2048;

/** Longer than any line of a table that a person keeps about contacts. */
const MAXIMUM_ROW_BYTES = 65_536;

/** A cell in quotes has no more lines; where its quotes do not close until then, they were opened by mistake. */
const MAXIMUM_CELL_LINES = 100;

/** The layout is sought in no more lines, blank ones included: they are held in memory. */
const MAXIMUM_FIRST_LINES = 1000;

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** How a file is to be read. */
export interface ListReading {
  /** Missing: the one that the first lines show. */
  separator?: Separator | undefined;
  /** Counted from 1; missing: the column that a header names, else each line is one id. */
  column?: number | undefined;
  /** Detected is a header with a cell `contactId`. */
  header: 'detect' | 'present' | 'absent';
  invalidLines: 'refuse' | 'skip';
}

interface Rejected {
  rejected: LineErrorCode;
}

/** A line with what ends it; a line feed may be missing in the last. */
interface Line {
  /** Counted from 1. */
  number: number;
  bytes: Buffer;
}

/**
 * Bytes as UTF-8. A file in UTF-16 is converted; the others are passed on as they are, since neither separators nor
 * quotes nor line ends are part of a character in the encodings that spreadsheets write.
 */
async function* asUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begin = Buffer.alloc(0);
  let decode: ((bytes: Buffer) => Buffer) | undefined;
  function started(): (bytes: Buffer) => Buffer {
    const encoding = encodingOf(begin);
    if (encoding === 'utf-8') return (bytes) => bytes;
    const decoder = new TextDecoder(encoding);
    return (bytes) => Buffer.from(decoder.decode(bytes, { stream: true }));
  }
  for await (const chunk of chunks) {
    if (decode) yield decode(chunk);
    else {
      begin = Buffer.concat([begin, chunk]);
      if (begin.length >= TELLING_BYTES) yield (decode = started())(begin);
    }
  }
  if (!decode) yield started()(begin);
}

/** The lines that end in each chunk, by LF, CRLF or CR; an overlong line is cut to more than the limit. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  function keep(bytes: Buffer): Buffer {
    if (bytes.length <= MAXIMUM_ROW_BYTES) return bytes;
    // A CR at its end still ends the line.
    return Buffer.concat([
      bytes.subarray(0, MAXIMUM_ROW_BYTES + 1),
      bytes.subarray(bytes.at(-1) === CR ? -1 : bytes.length),
    ]);
  }
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    const add = (part: Buffer) => {
      number += 1;
      lines.push({ number, bytes: rest.length === 0 ? part : Buffer.concat([rest, part]) });
      rest = Buffer.alloc(0);
    };
    let start = 0;
    // Whether a line feed belongs to a CR at the end of the previous chunk is seen now.
    if (rest.at(-1) === CR && chunk.length > 0) {
      start = chunk[0] === LF ? 1 : 0;
      add(chunk.subarray(0, start));
    }
    let lf = chunk.indexOf(LF, start);
    let cr = chunk.indexOf(CR, start);
    while (lf >= 0 || cr >= 0) {
      let end = lf < 0 || (cr >= 0 && cr < lf) ? cr : lf;
      if (end === cr && end === chunk.length - 1) break;
      if (end === cr && chunk[end + 1] === LF) end += 1;
      add(chunk.subarray(start, end + 1));
      start = end + 1;
      if (lf >= 0 && lf < start) lf = chunk.indexOf(LF, start);
      if (cr >= 0 && cr < start) cr = chunk.indexOf(CR, start);
    }
    if (start < chunk.length) rest = keep(Buffer.concat([rest, chunk.subarray(start)]));
    yield lines;
  }
  if (rest.length > 0) yield [{ number: number + 1, bytes: rest }];
}

/** Each byte as a character: text of any encoding that has ASCII, for what looks at ASCII alone. */
function byBytes(bytes: Buffer): string {
  let end = bytes.length;
  while (bytes[end - 1] === LF || bytes[end - 1] === CR) end -= 1;
  return bytes.toString('latin1', 0, end);
}

/** The start of a line for its reader, whatever bytes it has. */
const shownText = (bytes: Buffer): string =>
  [
    ...bytes
      .subarray(0, SHOWN_CHARACTERS * 4)
      .toString('utf8')
      .trim(),
  ]
    .slice(0, SHOWN_CHARACTERS)
    .join('')
    .replaceAll('\u0000', '\uFFFD');

const invalidLine = ({ number, bytes }: Line, code: LineErrorCode): FieldError => ({
  path: `/${number}`,
  message: `line ${number} ${lineErrors[code]}`,
  code,
  params: { text: shownText(bytes) },
});

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Ids as most platforms make them: nothing of such a cell is to be cleaned. */
const plain = /^[A-Za-z0-9][A-Za-z0-9_.:/-]*$/;

/** A cell of bytes as text; null if it is not UTF-8. */
function textOf(cell: string): string | null {
  if (plain.test(cell)) return cell;
  if (!/[\u0080-\u00ff]/.test(cell)) return readText(cell);
  try {
    return readText(utf8.decode(Buffer.from(cell, 'latin1')));
  } catch {
    return null;
  }
}

interface Layout {
  separator: Separator;
  /** Null where each line is one id. */
  column: number | null;
  /** What the header says, line for line; null without one. */
  header: string | null;
}

/** The id of the cells of one line, or why there is none. Null for a line without text. */
function idOf(cells: readonly string[], { column }: Layout): { id: string } | Rejected | null {
  const id = textOf(cells[(column ?? 1) - 1] ?? '');
  if (id === '' && cells.every((cell) => textOf(cell) === '')) return null;
  if (column === null && cells.length !== 1) return { rejected: 'line_not_one_id' };
  // What stands for a character that could not be read is no part of an id, whoever read it.
  if (id === null || id.includes('\uFFFD')) return { rejected: 'line_not_utf8' };
  if (id === '') return { rejected: 'line_without_column' };
  if (!idFits(id)) return { rejected: 'id_wrong_length' };
  if (id.includes('\u0000')) return { rejected: 'id_with_nul' };
  return isRewritten(id) ? { rejected: 'id_rewritten' } : { id };
}

type ReadLine = { id: string } | { error: FieldError };

/** The layout that the first lines show, and which of them are no data. */
function layoutOf(lines: readonly Line[], given: ListReading): { layout: Layout; left: Line[]; error?: FieldError } {
  const texts = lines.map(({ bytes }) => byBytes(bytes));
  const isText = (text: string) => text.trim() !== '';
  const at = texts.findIndex(isText);
  const declared = at < 0 ? null : declaredSeparator(texts[at] ?? '');
  const table = texts.slice(declared === null ? 0 : at + 1);
  const rows = lines.slice(declared === null ? 0 : at + 1);
  const firstAt = table.findIndex(isText);
  const first = table[firstAt] ?? '';
  const named = (separator: Separator) => contactIdCell(cellsOf(first, separator) ?? []);
  const names = (['comma', 'semicolon', 'tab'] as const).find((separator) => named(separator) >= 0);
  const shown = declared === 'unknown' ? null : declared;
  const separator =
    shown ?? given.separator ?? (given.header === 'detect' ? names : undefined) ?? guessSeparator(table.filter(isText));
  const cell = given.header === 'absent' ? -1 : named(separator);
  const isHeader = firstAt >= 0 && (given.header === 'present' || cell >= 0);
  const isTable = cell >= 0 && (cellsOf(first, separator)?.length ?? 1) > 1;
  const layout = {
    separator,
    column: given.column ?? (isTable ? cell + 1 : null),
    header: isHeader ? first.trim() : null,
  };
  const left = isHeader ? rows.slice(firstAt + 1) : rows;
  const sep = lines[at];
  return declared === 'unknown' && sep
    ? { layout, left, error: invalidLine(sep, 'line_not_one_id') }
    : { layout, left };
}

/** Reads lines to ids; a line whose cell goes on in the next ones waits for them. */
function createReader(layout: Layout) {
  const { separator, column, header } = layout;
  let open: Line[] = [];
  const limit = column === null ? MAXIMUM_LINE_BYTES : MAXIMUM_ROW_BYTES;
  /** Quotes in the wrong place of a line that has to be one id are as wrong as a second cell. */
  const unreadable: LineErrorCode = column === null ? 'line_not_one_id' : 'line_not_csv';

  const isHeader = (text: string) =>
    text.length >= (header?.length ?? 0) && text.trim().replace(/^\u00EF\u00BB\u00BF/, '') === header;

  function readOne(line: Line): ReadLine | null | 'open' {
    if (line.bytes.length > limit) return { error: invalidLine(line, 'line_too_long') };
    const text = byBytes(line.bytes);
    if (header !== null && isHeader(text)) return null;
    if (column === null && plain.test(text) && idFits(text)) return { id: text };
    const cells = readCells(text, separator);
    if (cells === 'open') return 'open';
    const read = cells === null ? { rejected: unreadable } : idOf(cells, layout);
    return read && 'rejected' in read ? { error: invalidLine(line, read.rejected) } : read;
  }

  const joined = (): Line => ({
    number: open[0]?.number ?? 0,
    bytes: Buffer.concat(open.map(({ bytes }) => bytes)),
  });

  /** Gives up the first of the open lines: its quotes were opened by mistake, and the others are lines of their own. */
  function* giveUp(): Generator<ReadLine> {
    const [first, ...others] = open;
    open = [];
    if (first) yield { error: invalidLine(first, unreadable) };
    for (const line of others) yield* take(line);
  }
  function* take(line: Line): Generator<ReadLine> {
    if (open.length === 0) {
      const read = readOne(line);
      if (read === 'open') open = [line];
      else if (read) yield read;
      return;
    }
    open.push(line);
    if (line.bytes.length <= limit && open.length <= MAXIMUM_CELL_LINES && !line.bytes.includes(QUOTE)) return;
    const whole = joined();
    const cells = whole.bytes.length > limit ? null : readCells(byBytes(whole.bytes), separator);
    if (cells === 'open' && open.length <= MAXIMUM_CELL_LINES) return;
    if (cells === null || cells === 'open') return yield* giveUp();
    open = [];
    const read = readOne(whole);
    if (read && read !== 'open') yield read;
  }
  return {
    take,
    *end(): Generator<ReadLine> {
      while (open.length > 0) yield* giveUp();
    },
  };
}

/** Each line with an id, or the reason why it has none, with its number from 1; together those of a chunk. */
async function* readLines(chunks: AsyncIterable<Buffer>, given: ListReading): AsyncGenerator<ReadLine[]> {
  let reader: ReturnType<typeof createReader> | undefined;
  let first: Line[] = [];
  const begin = (): ReadLine[] => {
    const { layout, left, error } = layoutOf(first, given);
    first = [];
    const begun = (reader = createReader(layout));
    return [...(error ? [{ error }] : []), ...left.flatMap((line) => [...begun.take(line)])];
  };
  for await (const lines of linesOf(asUtf8(chunks))) {
    const [one] = lines;
    if (one?.number === 1 && one.bytes.subarray(0, 3).equals(BOM)) one.bytes = one.bytes.subarray(3);
    if (!reader) {
      for (const line of lines) first.push(line);
      const isShort = first.length < MAXIMUM_FIRST_LINES;
      if (isShort && first.filter(({ bytes }) => byBytes(bytes).trim() !== '').length < LAYOUT_LINES) continue;
      yield begin();
      continue;
    }
    const read: ReadLine[] = [];
    for (const line of lines) for (const each of reader.take(line)) read.push(each);
    yield read;
  }
  if (!reader) yield begin();
  yield [...(reader?.end() ?? [])];
}

/** What a list has been read to so far: lines with an id, and lines left out. */
export interface ListTally {
  given: number;
  skipped: number;
}

function refusal(errors: FieldError[], { given, skipped }: ListTally): Problem {
  const counts = { valid: given, invalid: skipped };
  const detail = given === 0 ? 'No line is a contactId' : 'Some lines are not a contactId';
  return new Problem('invalid_content', `${detail}; nothing was changed`, { errors, counts });
}

/**
 * Reads the contactIds of a CSV as a spreadsheet shows it, in batches: UTF-8 or UTF-16, lines by LF, CRLF or CR, cells
 * in quotes over several lines; blank lines and repeated headers are left out. It reads to the end even after an invalid
 * line, so that the caller gets a response and not a reset. `tally` is complete once all is read.
 * @throws Problem `invalid_content` naming the first invalid lines, unless they are skipped and others are valid;
 * `too_large` above 1,000,000 valid ones.
 */
export async function* readContactList(
  chunks: AsyncIterable<Buffer>,
  reading: ListReading,
  tally: ListTally = { given: 0, skipped: 0 },
): AsyncGenerator<string[]> {
  const errors: FieldError[] = [];
  const refuses = reading.invalidLines === 'refuse';
  let batch: string[] = [];
  for await (const lines of readLines(chunks, reading))
    for (const line of lines) {
      if ('error' in line) {
        tally.skipped += 1;
        if (errors.length < NAMED_LINES) errors.push(line.error);
        continue;
      }
      tally.given += 1;
      if ((refuses && errors.length > 0) || tally.given > MAXIMUM_CONTACTS) continue;
      batch.push(line.id);
      if (batch.length === BATCH) {
        yield batch;
        batch = [];
      }
    }
  if (tally.given > MAXIMUM_CONTACTS) throw new Problem('too_large', `A list has at most ${MAXIMUM_CONTACTS} contacts`);
  if (tally.given === 0 || (refuses && errors.length > 0)) throw refusal(errors, tally);
  if (batch.length > 0) yield batch;
}
