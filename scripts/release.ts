import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCurrentOnceReady } from '../api/runtime/releases.ts';
import { openTemporal } from '../api/runtime/temporal.ts';
import { parseTemporalSettings } from '../domain/settings/temporal.ts';
import { taskQueues } from '../temporal.config.ts';
import { checkRuns } from './replay/check.ts';
import { beginningOf, RECENT } from './replay/report.ts';
import { billOf } from './sbom/bill.ts';
import { readLockfile } from './sbom/lockfile.ts';
import type { Say } from './start/progress.ts';
import { projectFolder } from './start/services.ts';

const POLLERS_WITHIN_MS = 120_000;

/** Whole or not at all: it may be taken from there while it is written. */
function writeBill(buildId: string, say: Say): void {
  const bill = billOf(readLockfile(), buildId);
  const folder = join(projectFolder, 'dist');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'sbom.part'), JSON.stringify(bill, null, 2));
  renameSync(join(folder, 'sbom.part'), join(folder, 'sbom.cdx.json'));
  say(`dist/sbom.cdx.json: bill of materials with ${bill.components.length} packages`);
}

/** `npm run release`: a deployment with `TEMPORAL_BUILD_ID` runs it once its services have started. */
async function main(): Promise<void> {
  const settings = parseTemporalSettings(process.env);
  const { buildId } = settings;
  if (!buildId) throw new Error('TEMPORAL_BUILD_ID: must name the release');
  const say: Say = (line) => console.log(line);
  writeBill(buildId, say);
  if (!(await checkRuns(settings, beginningOf(RECENT, new Date()), say)))
    throw new Error(`${buildId} is not current: it cannot continue what runs`);
  const temporal = openTemporal(settings);
  const end = Date.now() + POLLERS_WITHIN_MS;
  for (const taskQueue of Object.values(taskQueues)) {
    const waiting = { say, withinMs: end - Date.now() };
    const draining = await makeCurrentOnceReady(temporal, { taskQueue, buildId }, waiting);
    const kept = draining.length > 0 ? `; keep the workers of ${draining.join(', ')} until their runs end` : '';
    say(`${taskQueue}: ${buildId} is current${kept}`);
  }
  await temporal.connection.close();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
