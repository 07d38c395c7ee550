import type { Context } from 'koa';
import { type CsvColumns, csvHeader, csvLines } from '#domain/csv.ts';
import { textBody } from './text-body.ts';

async function* textsOf<Row>(
  columns: CsvColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string, void, undefined> {
  let text = csvHeader(columns);
  for await (const page of pages) {
    yield text + csvLines(columns, page);
    text = '';
  }
  if (text !== '') yield text;
}

/**
 * Responds with a file of rows, one page in memory at a time: the next one is read once the caller has taken the last,
 * and none after the caller has left. If the first page cannot be read, the error is the response; later ones break the
 * connection off, so that nobody takes a part for the whole.
 * @returns nothing of interest: the stream is the whole response.
 */
export async function sendCsv<Row>(
  ctx: Context,
  { name, columns, pages }: { name: string; columns: CsvColumns<Row>; pages: AsyncIterable<readonly Row[]> },
): Promise<string> {
  const texts = textsOf(columns, pages);
  const first = await texts.next();
  async function* whole(): AsyncGenerator<string, void, undefined> {
    if (!first.done) yield first.value;
    yield* texts;
  }
  ctx.attachment(`${name}.csv`);
  ctx.type = 'text/csv; charset=utf-8';
  ctx.set('Cache-Control', 'no-store');
  ctx.body = textBody(whole());
  return '';
}
