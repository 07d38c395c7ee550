import { idFits } from '../api/primitives.ts';
import { type FieldError, Problem } from '../api/problem.ts';
import { type LineErrorCode, lineErrors, NAMED_LINES } from '../line-errors.ts';

/** The maximum number of lines with an id; blank lines do not count. */
const MAXIMUM_CONTACTS = 1_000_000;

/** Ids passed on per batch. */
const BATCH = 10_000;

/** Longer than any quoted id in UTF-8: the rest of such a line is dropped. */
const MAXIMUM_LINE_BYTES = 2048;

const LF = 0x0a;

const isBlank = (line: string) => line.trim() === '';

/** A single-column CSV field: bare, or in quotes with inner quotes doubled. Null if it is neither. */
function unquoted(field: string): string | null {
  if (!field.startsWith('"')) return field.includes('"') || field.includes(',') ? null : field;
  const inner = /^"((?:[^"]|"")*)"$/.exec(field)?.[1];
  return inner === undefined ? null : inner.replaceAll('""', '"');
}

/** The id of one line, or why the line is invalid. */
function readLine(bytes: Buffer): { id: string } | { rejected: LineErrorCode } | { blank: true } {
  if (bytes.length > MAXIMUM_LINE_BYTES) return { rejected: 'line_too_long' };
  let line: string;
  try {
    line = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).trim();
  } catch {
    return { rejected: 'line_not_utf8' };
  }
  if (isBlank(line)) return { blank: true };
  const id = unquoted(line);
  if (id === null) return { rejected: 'line_not_one_id' };
  if (!idFits(id)) return { rejected: 'id_wrong_length' };
  if (id.includes('\u0000')) return { rejected: 'id_with_nul' };
  return { id };
}

/** Lines as bytes without their line feed; an overlong line is cut to one byte more than the limit. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  const keep = (bytes: Buffer) =>
    bytes.length > MAXIMUM_LINE_BYTES ? bytes.subarray(0, MAXIMUM_LINE_BYTES + 1) : bytes;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      const part = chunk.subarray(start, end);
      yield rest.length === 0 ? part : Buffer.concat([rest, part]);
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    if (start < chunk.length) rest = Buffer.from(keep(Buffer.concat([rest, chunk.subarray(start)])));
  }
  if (rest.length > 0) yield rest;
}

const invalidLine = (number: number, code: LineErrorCode): FieldError => ({
  path: `/${number}`,
  message: `line ${number} ${lineErrors[code]}`,
  code,
});

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads a CSV with one contactId per line, in batches: LF or CRLF, an optional BOM, blank lines ignored. It reads
 * to the end even after an invalid line, so that the caller gets a response and not a reset.
 * @throws Problem `invalid_content` naming the first invalid lines, `too_large` above 1,000,000 ids.
 */
export async function* readContactList(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const errors: FieldError[] = [];
  let number = 0;
  let count = 0;
  let batch: string[] = [];
  for await (const raw of linesOf(chunks)) {
    number += 1;
    const line = readLine(number === 1 && raw.subarray(0, 3).equals(BOM) ? raw.subarray(3) : raw);
    if ('blank' in line) continue;
    count += 1;
    if ('rejected' in line) {
      if (errors.length < NAMED_LINES) errors.push(invalidLine(number, line.rejected));
    } else if (errors.length === 0 && count <= MAXIMUM_CONTACTS) {
      batch.push(line.id);
      if (batch.length === BATCH) {
        yield batch;
        batch = [];
      }
    }
  }
  if (count > MAXIMUM_CONTACTS) throw new Problem('too_large', `A list has at most ${MAXIMUM_CONTACTS} contacts`);
  if (errors.length > 0)
    throw new Problem('invalid_content', 'Some lines are not a contactId; nothing was changed', { errors });
  if (batch.length > 0) yield batch;
}
