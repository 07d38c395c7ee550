import type { OutreachDeps } from '#activities/outreach/deps.ts';
import { type CredentialSource, pausedOutcome } from '#clients/platform/gateway.ts';
import type { Failure, Outcome } from '#clients/platform/outcome.ts';
import { Problem } from '#domain/api/problem.ts';
import type { PlatformTasks } from './deps.ts';

/** `Retry-After` for the caller if the platform gave none. */
const RETRY_AFTER_SECONDS = 5;

const retryAfterSeconds = (outcome: Failure): number =>
  outcome.kind === 'retryable' && outcome.retryAfterMs !== null
    ? Math.ceil(outcome.retryAfterMs / 1000)
    : RETRY_AFTER_SECONDS;

/**
 * Calls to the platform while a caller waits: made once, without retries and before those of activities, and
 * `unavailable` if there is no response, or the platform has asked for a pause.
 */
export function createPlatformTasks({
  gateway,
  pacing,
  now,
}: Pick<OutreachDeps, 'gateway' | 'pacing' | 'now'>): PlatformTasks {
  /** Makes the call in its turn. */
  async function inTurn<Value>(
    tenantId: string,
    call: (source: CredentialSource) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const source = pacing.credentials(tenantId);
    const turn = await pacing.turn(tenantId, { ahead: true });
    const until = pacing.pausedUntil(tenantId);
    if (!turn) {
      if (until) return pausedOutcome({ pausedMs: until.getTime() - now().getTime() });
      return { kind: 'notSent', message: 'The tenant has no active integration' };
    }
    try {
      return await call(source);
    } finally {
      turn.end();
    }
  }

  return {
    async submitBroadcast(tenantId, serviceNumberId, { key, broadcast }) {
      const outcome = await inTurn(tenantId, (source) =>
        gateway.createBroadcast(source, { serviceNumberId, key, broadcast }),
      );
      if (outcome.kind === 'accepted') return { taskId: outcome.value.taskId };
      if (outcome.kind === 'rejected') {
        const problem = new Problem('invalid_content', `The platform rejected it: ${outcome.code}: ${outcome.message}`);
        return { taskId: null, problem };
      }
      const lost = outcome.kind === 'ambiguous' ? ' It may have been sent nevertheless.' : '';
      const detail = `The platform did not accept it: ${outcome.message}.${lost}`;
      const problem = new Problem('unavailable', detail, { retryAfterSeconds: retryAfterSeconds(outcome) });
      return { taskId: null, problem };
    },
    async readTask(tenantId, serviceNumberId, taskId) {
      const outcome = await inTurn(tenantId, (source) => gateway.readTask(source, { serviceNumberId, taskId }));
      if (outcome.kind === 'accepted') return { taskId, ...outcome.value };
      if (outcome.kind === 'rejected' && outcome.status === 404) return null;
      if (outcome.kind === 'rejected')
        throw new Problem('invalid_content', `The platform rejected the task id: ${outcome.code}: ${outcome.message}`);
      throw new Problem('unavailable', `The task could not be read from the platform: ${outcome.message}`, {
        retryAfterSeconds: retryAfterSeconds(outcome),
      });
    },
  };
}
