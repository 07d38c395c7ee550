import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';

/** A body of texts, which are made as whoever called: Koa reads it when the request's middleware has ended. */
export function textBody(texts: AsyncGenerator<string, void, undefined>): Readable {
  const asCaller = AsyncLocalStorage.snapshot();
  const whole: AsyncIterableIterator<string> = {
    [Symbol.asyncIterator]: () => whole,
    next: () => asCaller(() => texts.next()),
    return: () => asCaller(() => texts.return()),
  };
  return Readable.from(whole, { objectMode: false });
}
