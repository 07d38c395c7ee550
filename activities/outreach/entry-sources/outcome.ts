import { ApplicationFailure } from '@temporalio/activity';
import { recordSourceError, type SourceError } from '#db/outreach/campaigns/entry-sources.ts';
import type { Outcome } from '#clients/platform/outcome.ts';
import { withJitter } from '#activities/jitter.ts';
import type { OutreachDeps } from '../deps.ts';

/** A rejected signature has to be fixed by someone; frequent retries do not help. */
const UNAUTHORIZED_WAIT_MS = 60_000;

interface SourceCall {
  tenantId: string;
  sourceId: string;
  call: SourceError['call'];
}

/**
 * F2 and F3 set a state and are safe to repeat: every uncertain outcome is retried.
 * @returns why the platform rejected it; null if it took effect.
 * @throws ApplicationFailure `PlatformUnavailable` if it must be retried; a rejected signature is stored first.
 */
export async function settled(
  deps: OutreachDeps,
  called: SourceCall,
  outcome: Outcome<true>,
): Promise<SourceError | null> {
  const { call, ...source } = called;
  if (outcome.kind === 'accepted') return null;
  if (outcome.kind === 'rejected') return { call, code: outcome.code, message: outcome.message };
  if (outcome.kind === 'unauthorized') {
    const refusal = { call, code: 'unauthorized', message: outcome.message };
    await recordSourceError(deps.database, { ...source, now: deps.now(), refusal });
  }
  const wait =
    outcome.kind === 'retryable' ? outcome.retryAfterMs : outcome.kind === 'unauthorized' ? UNAUTHORIZED_WAIT_MS : null;
  throw ApplicationFailure.create({
    message: `Entry source ${source.sourceId} could not be ${call === 'end' ? 'ended' : 'updated'}: ${outcome.message}`,
    type: 'PlatformUnavailable',
    ...(wait === null ? {} : { nextRetryDelay: withJitter(wait) }),
  });
}

/** The message of the last one, for the details of the workflow. */
export function lastError(refusals: (SourceError | null)[]): { refusal?: string } {
  const last = refusals.findLast((refusal) => refusal !== null);
  return last ? { refusal: `${last.code}: ${last.message}`.slice(0, 500) } : {};
}
