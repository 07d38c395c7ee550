import type { WorkflowBundle } from '#domain/settings/temporal.ts';
import { runTool } from '../start/child.ts';
import { projectFolder } from '../start/services.ts';
import { isCurrent } from './inputs.ts';
import { targets } from './targets.ts';

export type TargetName = WorkflowBundle | 'web' | 'services' | 'migrations' | 'sandbox';

/** The targets whose inputs have changed since they were built. */
export const staleTargets = (names: readonly TargetName[]): TargetName[] =>
  names.filter((name) => targets.some((target) => target.name === name && !isCurrent(target)));

/** The console is as much work as all else together. */
const beside = (names: readonly TargetName[]): TargetName[][] =>
  [names.filter((name) => name === 'web'), names.filter((name) => name !== 'web')].filter(({ length }) => length > 0);

/**
 * Builds what is stale, in separate processes, so that their memory is released and two processors have something to do.
 * @throws Error with one line that names the failed target.
 */
export async function ensureBuilt(
  names: readonly TargetName[],
  options: { logFile: string; environment?: NodeJS.ProcessEnv },
): Promise<void> {
  const stale = staleTargets(names);
  if (stale.length === 0) return;
  await Promise.all(
    beside(stale).map((some) =>
      runTool({
        name: 'build',
        command: process.execPath,
        args: ['--import', 'tsx', 'scripts/build.ts', ...some],
        cwd: projectFolder,
        env: { ...(options.environment ?? process.env), NODE_ENV: 'production' },
        logFile: options.logFile,
        timeoutMs: 600_000,
      }),
    ),
  );
}
