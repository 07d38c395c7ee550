import {
  CancellationScope,
  log,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { BffActivities } from '#activities/bff/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type { RotateSecretInput, RotateSecretResult } from '../contracts/rotate-secret.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

// The rotation's own deadline (in its row) comes before these: they only bound what a lost worker costs.
const { applyRotation } = proxyActivities<BffActivities>({
  ...activityProfiles.remote,
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '8 seconds',
  retry: { ...activityProfiles.remote.retry, maximumInterval: '1 second' },
});
const { takeBackRotation } = proxyActivities<BffActivities>({
  ...activityProfiles.remote,
  retry: { ...activityProfiles.remote.retry, maximumInterval: '5 seconds' },
});

function show(status: string, details: string): void {
  upsertSearchAttributes([{ key: bizStatusAttribute, value: status }]);
  setCurrentDetails(details);
}

/** Gives BFF and backend the new secret in time, or makes sure that neither has it. */
export async function rotateSecret({ tenantIntegrationId, number }: RotateSecretInput): Promise<RotateSecretResult> {
  const rotation = { tenantIntegrationId, number };
  show('ROTATING', 'Sending the new secret to the backend, then making it current.');
  try {
    const applied = await applyRotation(rotation);
    if (applied.kind === 'committed') {
      show('ROTATED', `Rotated at ${applied.rotatedAt}.`);
      return applied;
    }
  } catch (error) {
    log.warn('rolling back the rotation', { reason: String(error) });
  }
  setCurrentDetails('Not in time: making sure that the backend has the previous secret.');
  const ended = await CancellationScope.nonCancellable(() => takeBackRotation(rotation));
  if (ended.kind === 'committed') show('ROTATED', `Rotated at ${ended.rotatedAt}.`);
  else show('NOT_ROTATED', 'Not rotated: both sides have the previous secret. The platform may retry the call.');
  return ended;
}
