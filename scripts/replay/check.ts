import { join } from 'node:path';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { bundlePathOf, converting, openTemporal } from '#api/runtime/temporal.ts';
import { bundleNameOf, type TemporalSettings } from '#domain/settings/temporal.ts';
import { ensureBuilt } from '../build/ensure.ts';
import type { Say } from '../start/progress.ts';
import { projectFolder } from '../start/services.ts';
import { replayRuns } from './gate.ts';
import { reportOf } from './report.ts';

/** A replay logs each difference with its stack; the report has it in a line. */
function quieten(): void {
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  const logger = new DefaultLogger('ERROR', () => undefined);
  Runtime.install({ logger, telemetryOptions: { logging: { filter, forward: {} } } });
}

/**
 * Replays the runs of a server with this working copy, and says what it found. To be called once in a process: it
 * takes over the SDK's logging.
 * @param since runs that ended before are left out.
 * @returns whether all of them replay.
 */
export async function checkRuns(settings: TemporalSettings, since: Date, say: Say): Promise<boolean> {
  await ensureBuilt([bundleNameOf(settings)], { logFile: join(projectFolder, 'dist', 'replay-build.log') });
  quieten();
  const { client, connection } = openTemporal(settings);
  try {
    const worker = { workflowBundle: { codePath: bundlePathOf(settings) }, ...converting(settings) };
    const replayed = await replayRuns(client, { since, worker });
    say(reportOf(replayed));
    return replayed.every(({ difference }) => difference === undefined);
  } finally {
    await connection.close();
  }
}
