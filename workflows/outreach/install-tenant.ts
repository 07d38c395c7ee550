import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  log,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { BffActivities } from '#activities/bff/index.ts';
import type { InstallOutcome } from '#activities/bff/installation.ts';
import { activityProfiles } from '#temporal.config.ts';
import {
  installResultUpdate,
  type InstallResult,
  type InstallTenantInput,
  type InstallTenantResult,
} from '../contracts/install-tenant.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

// A caller is waiting: recovery from an outage is noticed within two seconds.
const { synchronizeInstallation } = proxyActivities<BffActivities>({
  ...activityProfiles.remote,
  startToCloseTimeout: '10 seconds',
  retry: { ...activityProfiles.remote.retry, maximumInterval: '2 seconds' },
  summary: 'synchronizes it to the backend',
});
const { registerEmbedSlots } = proxyActivities<BffActivities>({
  ...activityProfiles.remote,
  summary: 'registers the slots with the platform',
});

type SlotsState = InstallTenantResult['slots'];

function show(status: string, details: string): void {
  upsertSearchAttributes([{ key: bizStatusAttribute, value: status }]);
  setCurrentDetails(details);
}

/** Registers the slots, unless `interrupted` becomes true first. */
async function slotsUnless(
  interrupted: () => boolean,
  tenantIntegrationId: string,
): Promise<SlotsState | 'interrupted'> {
  return CancellationScope.cancellable(async () => {
    const registering = registerEmbedSlots({ tenantIntegrationId });
    const ended = await Promise.race([registering, condition(interrupted).then(() => 'interrupted' as const)]);
    if (ended === 'interrupted') {
      CancellationScope.current().cancel();
      await registering.catch((error: unknown) => log.info('leaving the slots to the newer install', { error }));
    }
    return ended;
  });
}

/**
 * Installs an integration. The blocking part, which `installAnswer` waits for, ends when it is ACTIVE in BFF and
 * backend; then its embedded slots are registered with the platform, for as long as that takes. An install call
 * that replaces the previous one starts over.
 */
export async function installTenant({ tenantIntegrationId }: InstallTenantInput): Promise<InstallTenantResult> {
  let wanted = 0;
  let outcome: InstallOutcome | undefined;
  const isAnswered = (revision: number): boolean => outcome !== undefined && outcome.revision >= revision;
  const answered = async ({ revision }: { revision: number }) => {
    wanted = Math.max(wanted, revision);
    await condition(() => isAnswered(revision));
    return responseOf(outcome);
  };
  const description = 'The outcome of an install call: waits until this revision is ACTIVE or rejected.';
  setHandler(installResultUpdate, answered, { description });
  for (;;) {
    show('PENDING', 'Waiting for the backend to have the integration, its tenant and its service numbers.');
    outcome = await synchronizeInstallation({ tenantIntegrationId });
    const slots = await registerSlotsOf(outcome, () => !isAnswered(wanted), tenantIntegrationId);
    if (slots !== 'interrupted') showEnd(outcome, slots);
    await condition(() => allHandlersFinished() || !isAnswered(wanted));
    if (slots !== 'interrupted' && isAnswered(wanted)) return { answer: responseOf(outcome), slots };
  }
}

async function registerSlotsOf(
  outcome: InstallOutcome,
  interrupted: () => boolean,
  tenantIntegrationId: string,
): Promise<SlotsState | 'interrupted'> {
  if (outcome.kind !== 'active') return 'not_reached';
  show('ACTIVE', 'Installed. Registering the embedded slots with the platform.');
  return slotsUnless(interrupted, tenantIntegrationId);
}

function showEnd(outcome: InstallOutcome, slots: SlotsState): void {
  if (outcome.kind === 'refused') {
    show(
      'REFUSED',
      `Rejected: ${outcome.code === 'gone' ? 'uninstalled' : 'the tenant has another active integration'}.`,
    );
  } else {
    setCurrentDetails(
      slots === 'registered' ? 'Installed, slots registered.' : 'Ended before the slots were registered.',
    );
  }
}

function responseOf(outcome: InstallOutcome | undefined): InstallResult {
  if (!outcome) throw ApplicationFailure.nonRetryable('no outcome yet', 'Defect');
  return outcome.kind === 'active' ? { kind: 'active' } : { kind: 'refused', code: outcome.code };
}
