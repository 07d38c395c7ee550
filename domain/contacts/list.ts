import { idFits } from '../api/primitives.ts';
import { type FieldError, Problem } from '../api/problem.ts';
import { type LineErrorCode, lineErrors, NAMED_LINES, SHOWN_CHARACTERS } from '../line-errors.ts';
import { cellsOf, contactIdCell, type Separator } from './csv.ts';

/** The maximum number of lines with an id; blank lines do not count. */
const MAXIMUM_CONTACTS = 1_000_000;

/** Ids passed on per batch. */
const BATCH = 10_000;

/** Longer than any quoted id in UTF-8: the rest of such a line is dropped. */
const MAXIMUM_LINE_BYTES = 2048;

/** Longer than any line of a table that a person keeps about contacts. */
const MAXIMUM_ROW_BYTES = 65_536;

const LF = 0x0a;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const isBlank = (line: string) => line.trim() === '';

/** How a file is to be read. */
export interface ListReading {
  separator: Separator;
  /** Counted from 1; missing: the column that a header names, else each line is one id. */
  column?: number | undefined;
  /** Detected is a header with a cell `contactId`. */
  header: 'detect' | 'present' | 'absent';
  invalidLines: 'refuse' | 'skip';
}

type Rejected = { rejected: LineErrorCode };

interface Columns {
  separator: Separator;
  /** Null where each line is one id. */
  column: number | null;
}

/** The id of one line, or why the line is invalid. Null for a blank line. */
function readLine(bytes: Buffer, { separator, column }: Columns): { id: string } | Rejected | null {
  if (bytes.length > (column === null ? MAXIMUM_LINE_BYTES : MAXIMUM_ROW_BYTES)) return { rejected: 'line_too_long' };
  let line: string;
  try {
    line = utf8.decode(bytes);
  } catch {
    return { rejected: 'line_not_utf8' };
  }
  if (isBlank(line)) return null;
  const cells = cellsOf(line, separator);
  if (column === null && cells?.length !== 1) return { rejected: 'line_not_one_id' };
  if (cells === null) return { rejected: 'line_not_csv' };
  const id = cells[(column ?? 1) - 1] ?? '';
  if (id === '' && column !== null) return { rejected: 'line_without_column' };
  if (!idFits(id)) return { rejected: 'id_wrong_length' };
  return id.includes('\u0000') ? { rejected: 'id_with_nul' } : { id };
}

/** The lines that end in each chunk, as bytes without their line feed; an overlong line is cut to one byte more than the limit. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  const keep = (bytes: Buffer) => (bytes.length > MAXIMUM_ROW_BYTES ? bytes.subarray(0, MAXIMUM_ROW_BYTES + 1) : bytes);
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      const part = chunk.subarray(start, end);
      lines.push(rest.length === 0 ? part : Buffer.concat([rest, part]));
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    if (start < chunk.length) rest = Buffer.from(keep(Buffer.concat([rest, chunk.subarray(start)])));
    yield lines;
  }
  if (rest.length > 0) yield [rest];
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

const invalidLine = (number: number, code: LineErrorCode, bytes: Buffer): FieldError => ({
  path: `/${number}`,
  message: `line ${number} ${lineErrors[code]}`,
  code,
  params: { text: shownText(bytes) },
});

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** What the first line that is not blank says about the columns. It may be in any encoding. */
function firstLine(bytes: Buffer, { separator, column, header }: ListReading): { columns: Columns; isHeader: boolean } {
  const cells = cellsOf(bytes.toString('utf8'), separator) ?? [];
  const named = header === 'detect' ? contactIdCell(cells) : -1;
  const columnOfHeader = named >= 0 && cells.length > 1 ? named + 1 : null;
  return { columns: { separator, column: column ?? columnOfHeader }, isHeader: header === 'present' || named >= 0 };
}

type ReadLine = { id: string } | { error: FieldError };

/** Each line with an id, or the reason why it has none, with its number from 1; together those of a chunk. */
async function* readLines(chunks: AsyncIterable<Buffer>, reading: ListReading): AsyncGenerator<ReadLine[]> {
  let columns: Columns | null = null;
  let number = 0;
  for await (const lines of linesOf(chunks)) {
    const read: ReadLine[] = [];
    for (const raw of lines) {
      number += 1;
      const bytes = number === 1 && raw.subarray(0, 3).equals(BOM) ? raw.subarray(3) : raw;
      if (!columns) {
        if (isBlank(bytes.toString('utf8'))) continue;
        const first = firstLine(bytes, reading);
        columns = first.columns;
        if (first.isHeader) continue;
      }
      const line = readLine(bytes, columns);
      if (line) read.push('id' in line ? line : { error: invalidLine(number, line.rejected, bytes) });
    }
    yield read;
  }
}

/** What a list has been read to so far: lines with an id, and lines left out. */
export interface ListTally {
  given: number;
  skipped: number;
}

function refusal(errors: FieldError[], { given, skipped }: ListTally): Problem {
  const counts = { valid: given, invalid: skipped };
  return new Problem('invalid_content', 'Some lines are not a contactId; nothing was changed', { errors, counts });
}

/**
 * Reads the contactIds of a CSV, in batches: LF or CRLF, an optional BOM, blank lines ignored. It reads to the end even
 * after an invalid line, so that the caller gets a response and not a reset. `tally` is complete once all is read.
 * @throws Problem `invalid_content` naming the first invalid lines unless they are skipped, `too_large` above 1,000,000.
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
        if (refuses && errors.length < NAMED_LINES) errors.push(line.error);
        continue;
      }
      tally.given += 1;
      if (errors.length > 0 || tally.given > MAXIMUM_CONTACTS) continue;
      batch.push(line.id);
      if (batch.length === BATCH) {
        yield batch;
        batch = [];
      }
    }
  if (tally.given + (refuses ? tally.skipped : 0) > MAXIMUM_CONTACTS)
    throw new Problem('too_large', `A list has at most ${MAXIMUM_CONTACTS} contacts`);
  if (errors.length > 0) throw refusal(errors, tally);
  if (batch.length > 0) yield batch;
}
