import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './child.ts';
import { findOnPath } from './postgres-user.ts';
import { type Say, withProgress } from './progress.ts';
import {
  type Archive,
  archiveOfThisMachine,
  downloadTemporal,
  TEMPORAL_VERSION,
  temporalProgram,
} from './temporal-download.ts';

/** Fetched once per user and shared by every checkout. */
export const cacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'outreach-platform');

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Moved into place atomically once complete, so that a broken download or two concurrent starts leave nothing
 * half done.
 */
function keep(found: string, target: string): void {
  mkdirSync(join(target, '..'), { recursive: true });
  renameSync(found, target);
}

async function build(go: string, folder: string, target: string): Promise<void> {
  await runTool({
    name: 'go install',
    command: go,
    args: ['install', `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_VERSION}`],
    env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
    logFile: join(folder, 'build.log'),
    timeoutMs: 1_800_000,
  });
  keep(join(folder, temporalProgram), target);
}

/**
 * Finds the Temporal development server: `temporal` on PATH, this user's cache, the download of its release, `go
 * install`; the last two fill the cache. What is downloaded has to have its checksum; what Go builds is compared with Go's
 * checksum database by Go.
 * @returns the path of the program.
 * @throws Error with one line that says what to do if none of these works.
 */
export async function findTemporal(say: Say, archive = archiveOfThisMachine()): Promise<string> {
  const installed = findOnPath(temporalProgram);
  if (installed) {
    say(`Temporal: ${installed}`);
    return installed;
  }
  const cached = join(cacheFolder(), `temporal-${TEMPORAL_VERSION}`, temporalProgram);
  if (existsSync(cached)) {
    say(`Temporal: version ${TEMPORAL_VERSION} from ${cacheFolder()}`);
    return cached;
  }
  return obtainTemporal(cached, archive, say);
}

async function download(archive: Archive | undefined, folder: string, target: string): Promise<void> {
  if (!archive) throw new Error(`there is no release for ${process.platform} on ${process.arch}`);
  keep(await downloadTemporal(folder, archive), target);
}

async function obtainTemporal(target: string, archive: Archive | undefined, say: Say): Promise<string> {
  mkdirSync(cacheFolder(), { recursive: true });
  const folder = mkdtempSync(join(cacheFolder(), 'fetching-'));
  try {
    let refusal: string;
    try {
      await withProgress(say, 'Temporal: downloading it (once)', () => download(archive, folder, target));
      return target;
    } catch (error) {
      refusal = reasonOf(error);
      say(`Temporal: the download failed (${refusal})`);
    }
    const go = findOnPath('go');
    if (!go) throw new Error(missing(`its download failed and Go is not installed`));
    try {
      await withProgress(say, 'Temporal: building it with Go (once; takes a few minutes)', () =>
        build(go, folder, target),
      );
      return target;
    } catch (error) {
      throw new Error(missing(`both its download and its build failed (${reasonOf(error)})`), { cause: error });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const missing = (reason: string): string =>
  `There is no Temporal server: ${reason}. Install the temporal command (https://docs.temporal.io/cli) or set TEMPORAL_ADDRESS`;
