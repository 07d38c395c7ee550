import { embedSlots } from '#clients/platform/embed-configuration.ts';
import type { BffDatabase } from '#db/bff/database.ts';
import {
  deleteSecretsOfUninstalled,
  findIntegration,
  integrationsWithOtherWebhook,
  nextLifecycleNumber,
  unfinishedIntegrations,
} from '#db/bff/integrations.ts';
import type { TenantIntegration } from '#db/bff/models.ts';
import { sweepNonces } from '#db/bff/nonces.ts';
import { sweepRefusals } from '#db/bff/refusals.ts';
import { overdueRotations } from '#db/bff/rotations.ts';
import { sweepSessions } from '#db/bff/sessions.ts';
import { integrationsWithOutdatedSlots } from '#db/bff/slots.ts';
import { sweepKeys } from '#db/bff/api-keys.ts';
import { noteEnd, noteStart } from '#db/recurring/runs.ts';
import { SWEEP } from '#domain/recurring/sweep.ts';
import { keptSince } from '#domain/retention.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Launcher } from './launch.ts';

export interface SweepDeps {
  database: BffDatabase;
  launch: Launcher;
  publicUrl: string;
  /** RETENTION_EVENTS_DAYS. */
  eventDays: number;
  logger: Logger;
}

const SWEEP_EVERY_MS = 60_000;

/** How long after the end of one the end of the next may take. */
export const SWEEP_ALLOWED_SECONDS = 300;

/** More recent work may still be in progress. */
const QUIET_SECONDS = 60;
const ROWS_AT_ONCE = 10_000;

async function deleteAll(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  let deleted = ROWS_AT_ONCE;
  while (deleted === ROWS_AT_ONCE) deleted = await deleteSome(ROWS_AT_ONCE);
}

async function deleteWhatIsOver({ database, eventDays }: SweepDeps): Promise<void> {
  await deleteAll((limit) => sweepNonces(database, limit));
  const refusedSince = keptSince(eventDays, new Date());
  await deleteAll((limit) => sweepRefusals(database, refusedSince, limit));
  await sweepSessions(database);
  await sweepKeys(database);
  await deleteSecretsOfUninstalled(database);
}

/**
 * Resumes installs, uninstalls and rotations whose workflow was lost, or never started because Temporal was
 * unavailable.
 */
async function goOnWithLifecycle({ database, launch }: SweepDeps): Promise<void> {
  for (const row of await unfinishedIntegrations(database, QUIET_SECONDS)) {
    const { tenantIntegrationId, platformTenantId, uninstallNumber } = row;
    if (uninstallNumber === null) await launch.beginInstall({ tenantIntegrationId, platformTenantId });
    else await launch.beginUninstall({ tenantIntegrationId, platformTenantId, number: uninstallNumber });
  }
  for (const { tenantIntegrationId, number } of await overdueRotations(database)) {
    const row = await findIntegration(database, tenantIntegrationId);
    if (row) await launch.beginRotation({ tenantIntegrationId, platformTenantId: row.platformTenantId, number });
  }
}

/** Sends the BFF's address to the platform and the backend again if it changed or slots were never registered. */
async function announceAddress({ database, launch, publicUrl }: SweepDeps): Promise<void> {
  const outdated = new Map<string, TenantIntegration>();
  for (const row of [
    ...(await integrationsWithOtherWebhook(database, `${publicUrl}/webhook`)),
    ...(await integrationsWithOutdatedSlots(database, embedSlots(publicUrl), QUIET_SECONDS)),
  ]) {
    outdated.set(row.tenantIntegrationId, row);
  }
  for (const { tenantIntegrationId, platformTenantId } of outdated.values()) {
    // It knows better when to try again: the platform may have asked for more patience than a sweep has.
    if (await launch.isRegistering(tenantIntegrationId)) continue;
    const number = await nextLifecycleNumber(database, tenantIntegrationId);
    await launch.registerSlots({ tenantIntegrationId, platformTenantId, number });
  }
}

const noteBegun = ({ database }: SweepDeps) => noteStart(database.connection, SWEEP);
const noteEnded = ({ database }: SweepDeps) => noteEnd(database.connection, SWEEP);

/** Runs one sweep. Failed steps are logged and left for the next one; only a sweep without any counts as completed. */
export async function sweep(deps: SweepDeps): Promise<void> {
  let failed = false;
  const attempt = async (step: (deps: SweepDeps) => Promise<void>) => {
    try {
      await step(deps);
    } catch (error) {
      failed = true;
      deps.logger.warn({ err: error, step: step.name }, 'a step of the sweep failed; the next sweep retries it');
    }
  };
  for (const step of [noteBegun, deleteWhatIsOver, goOnWithLifecycle, announceAddress]) await attempt(step);
  if (!failed) await attempt(noteEnded);
}

/** Sweeps now and then every `intervalMs`. Returns a function that stops it once the current sweep has ended. */
export function startSweeping(deps: SweepDeps, intervalMs = SWEEP_EVERY_MS): () => Promise<void> {
  let running = sweep(deps);
  let idle = false;
  const settle = (): void => {
    idle = true;
  };
  void running.then(settle);
  const timer = setInterval(() => {
    if (!idle) return;
    idle = false;
    running = sweep(deps);
    void running.then(settle);
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
