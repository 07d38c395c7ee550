import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from './child.ts';
import { findOnPath } from './postgres-user.ts';
import { type Say, withProgress } from './progress.ts';

/**
 * The version of the command line tool whose development server this is; later versions cannot be built by `go
 * install`.
 */
const VERSION = '1.5.1';
const program = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

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

async function download(folder: string, target: string): Promise<void> {
  const helper = fileURLToPath(new URL('download-temporal.ts', import.meta.url));
  await runTool({
    name: 'download',
    command: process.execPath,
    args: ['--import', 'tsx', helper, folder, VERSION],
    logFile: join(folder, 'download.log'),
    timeoutMs: 300_000,
  });
  const file = readdirSync(folder).find((name) => statSync(join(folder, name)).size > 10_000_000);
  if (!file) throw new Error('the download contained no program');
  keep(join(folder, file), target);
}

async function build(go: string, folder: string, target: string): Promise<void> {
  await runTool({
    name: 'go install',
    command: go,
    args: ['install', `github.com/temporalio/cli/cmd/temporal@v${VERSION}`],
    env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
    logFile: join(folder, 'build.log'),
    timeoutMs: 1_800_000,
  });
  keep(join(folder, program), target);
}

/**
 * Finds the Temporal development server: `temporal` on PATH, this user's cache, the SDK's own download, `go
 * install`; the last two fill the cache.
 * @returns the path of the program.
 * @throws Error with one line that says what to do if none of these works.
 */
export async function findTemporal(say: Say): Promise<string> {
  const installed = findOnPath(program);
  if (installed) {
    say(`Temporal: ${installed}`);
    return installed;
  }
  const cached = join(cacheFolder(), `temporal-${VERSION}`, program);
  if (existsSync(cached)) {
    say(`Temporal: version ${VERSION} from ${cacheFolder()}`);
    return cached;
  }
  return obtainTemporal(cached, say);
}

async function obtainTemporal(target: string, say: Say): Promise<string> {
  mkdirSync(cacheFolder(), { recursive: true });
  const folder = mkdtempSync(join(cacheFolder(), 'fetching-'));
  try {
    let refusal: string;
    try {
      await withProgress(say, 'Temporal: downloading it (once)', () => download(folder, target));
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
