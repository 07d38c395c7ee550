import { setTimeout } from 'node:timers/promises';
import { makeCurrent } from '../api/runtime/releases.ts';
import { openTemporal } from '../api/runtime/temporal.ts';
import { parseTemporalSettings, taskQueues } from '../temporal.config.ts';

const POLLERS_WITHIN_MS = 120_000;

/** `npm run release`: what a deployment with `TEMPORAL_BUILD_ID` runs once its services are started. */
async function main(): Promise<void> {
  const settings = parseTemporalSettings(process.env);
  const { buildId } = settings;
  if (!buildId) throw new Error('TEMPORAL_BUILD_ID: must name the release');
  const temporal = openTemporal(settings);
  const end = Date.now() + POLLERS_WITHIN_MS;
  for (const taskQueue of Object.values(taskQueues)) {
    for (;;) {
      try {
        const draining = await makeCurrent(temporal, { taskQueue, buildId });
        const kept = draining.length > 0 ? `; keep the workers of ${draining.join(', ')} until their runs end` : '';
        console.log(`${taskQueue}: ${buildId} is current${kept}`);
        break;
      } catch (error) {
        if (Date.now() >= end) throw error;
        await setTimeout(500);
      }
    }
  }
  await temporal.connection.close();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
