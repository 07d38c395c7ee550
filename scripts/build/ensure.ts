import type { WorkflowBundle } from '../../domain/settings/temporal.ts';
import { runTool } from '../start/child.ts';
import { projectFolder } from '../start/services.ts';
import { isCurrent } from './inputs.ts';
import { targets } from './targets.ts';

export type TargetName = WorkflowBundle | 'web' | 'services' | 'migrations' | 'sandbox';

/** The targets whose inputs have changed since they were built. */
export const staleTargets = (names: readonly TargetName[]): TargetName[] =>
  names.filter((name) => targets.some((target) => target.name === name && !isCurrent(target)));

/**
 * Builds what is stale, in a separate process so that its memory is released.
 * @throws Error with one line that names the failed target.
 */
export async function ensureBuilt(
  names: readonly TargetName[],
  options: { logFile: string; environment?: NodeJS.ProcessEnv },
): Promise<void> {
  const stale = staleTargets(names);
  if (stale.length === 0) return;
  await runTool({
    name: 'build',
    command: process.execPath,
    args: ['--import', 'tsx', 'scripts/build.ts', ...stale],
    cwd: projectFolder,
    env: { ...(options.environment ?? process.env), NODE_ENV: 'production' },
    logFile: options.logFile,
    timeoutMs: 600_000,
  });
}
