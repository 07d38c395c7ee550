import type { Context } from 'koa';
import { textBody } from './text-body.ts';

/** A JSON object that is too large to be held: its plain members, then its lists, each read a page at a time. */
export interface JsonDocument {
  name: string;
  members: Readonly<Record<string, unknown>>;
  lists: readonly (readonly [string, AsyncIterable<readonly object[]>])[];
}

async function* textsOf({ members, lists }: JsonDocument): AsyncGenerator<string, void, undefined> {
  yield JSON.stringify(members).slice(0, -1);
  let separator = Object.keys(members).length > 0 ? ',' : '';
  for (const [name, pages] of lists) {
    yield `${separator}\n${JSON.stringify(name)}:[`;
    separator = ',';
    let between = '';
    for await (const page of pages) {
      let text = '';
      for (const item of page) {
        text += `${between}\n${JSON.stringify(item)}`;
        between = ',';
      }
      yield text;
    }
    yield ']';
  }
  yield '}\n';
}

/**
 * Responds with the document as a file, one page in memory at a time: the next one is read once the caller has taken the
 * last, and none after the caller has left. An error breaks the connection off, so that nobody takes a part for the
 * whole.
 */
export function sendJson(ctx: Context, document: JsonDocument): void {
  ctx.attachment(`${document.name}.json`);
  ctx.type = 'application/json; charset=utf-8';
  ctx.set('Cache-Control', 'no-store');
  ctx.body = textBody(textsOf(document));
}
