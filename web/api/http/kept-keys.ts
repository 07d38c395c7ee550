import { promiseTimeout } from '@vueuse/core';
import { randomKey } from '../random-key.ts';
import { ApiProblem } from './problem.ts';

/** Requests that nothing is known of, by what they ask for, with their keys. */
const open = new Map<string, string>();

const AGAIN_AFTER_MS = [1000, 3000];

/** Whether it is not known what became of a request: it got no response, or none of ours. */
export const isUnanswered = (error: unknown): boolean => error instanceof ApiProblem && error.isUnanswered;

const isUnderWay = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'conflict';

/**
 * Sends a request with a key that is its own until what became of it is known, whoever sends it again: the service carries
 * it out once. Without an answer it is asked for again twice, within some seconds, while somebody waits for it.
 * @param request all that tells it from another one
 * @param pauses before it is asked for again, in milliseconds
 */
export async function keeping<Result>(
  request: string,
  send: (key: string) => Promise<Result>,
  pauses: readonly number[] = AGAIN_AFTER_MS,
): Promise<Result> {
  const known = open.get(request);
  const key = known ?? randomKey();
  open.set(request, key);
  let unanswered: unknown = null;
  for (const pause of [...pauses, null]) {
    try {
      const result = await send(key);
      open.delete(request);
      return result;
    } catch (error) {
      const again = known !== undefined || unanswered !== null;
      if (!isUnanswered(error) && !(again && isUnderWay(error))) {
        open.delete(request);
        throw error;
      }
      unanswered = isUnanswered(error) ? error : (unanswered ?? error);
      if (pause !== null) await promiseTimeout(pause);
    }
  }
  throw unanswered;
}
