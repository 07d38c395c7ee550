import { useEventListener, useTimeoutFn } from '@vueuse/core';
import { watch } from 'vue';
import { connection } from '#web/api/http/connection.ts';
import { ApiProblem, type ApiProblemCode } from '#web/api/http/problem.ts';
import { isSignedOut } from '#web/api/http/session.ts';
import type { createDraftSaver } from './draft-saver.ts';

const passing = new Set<ApiProblemCode>(['network', 'unavailable', 'rate_limited']);
const firstWaitMs = 5_000;
const longestWaitMs = 60_000;

/**
 * Retries saving after a temporary failure: at growing intervals, immediately when the network is back, and after a
 * sign-in in another tab. A draft that is not stored yet is left alone, because the first attempt may have created
 * it.
 */
export function useRetrySaving({ stored, state, error, save }: ReturnType<typeof createDraftSaver>): void {
  let waitMs = firstWaitMs;
  const failedBy = () => (stored.value && error.value instanceof ApiProblem ? error.value.code : null);
  const { start, stop } = useTimeoutFn(
    () => void save(),
    () => waitMs,
    { immediate: false },
  );
  watch(state, (now) => {
    stop();
    if (now === 'saved') waitMs = firstWaitMs;
    const code = failedBy();
    if (now !== 'failed' || !code || !passing.has(code)) return;
    start();
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  });
  function saveAgain(): void {
    const code = failedBy();
    if (code === 'unauthorized' || (code && passing.has(code))) void save();
  }
  useEventListener('focus', saveAgain);
  watch([connection, isSignedOut], () => {
    if (connection.value === 'online' && !isSignedOut.value) saveAgain();
  });
}
