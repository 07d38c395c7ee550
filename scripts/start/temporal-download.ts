import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { runTool } from './child.ts';

export interface Archive {
  url: string;
  /** Lower-case hexadecimal. */
  sha256: string;
}

/** The release whose archives are listed here; later ones cannot be built by `go install`. */
export const TEMPORAL_VERSION = '1.5.1';
export const temporalProgram = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

const released = `https://github.com/temporalio/cli/releases/download/v${TEMPORAL_VERSION}/temporal_cli_${TEMPORAL_VERSION}_`;

/**
 * By Node's platform and architecture. The checksums are those that Hermit's packages (Linux, macOS) and winget (Windows)
 * have of these files, so that whoever replaces a file of the release does not replace its checksum, too.
 */
const archives: Record<string, Archive> = {
  'linux-x64': {
    url: `${released}linux_amd64.tar.gz`,
    sha256: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  },
  'linux-arm64': {
    url: `${released}linux_arm64.tar.gz`,
    sha256: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  },
  'darwin-x64': {
    url: `${released}darwin_amd64.tar.gz`,
    sha256: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  },
  'darwin-arm64': {
    url: `${released}darwin_arm64.tar.gz`,
    sha256: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  },
  'win32-x64': {
    url: `${released}windows_amd64.zip`,
    sha256: 'd3b7982a15f3e5716d55a304f18465f625c144f154e52ac45dcfe288eb642eb3',
  },
  'win32-arm64': {
    url: `${released}windows_arm64.zip`,
    sha256: '28e7cf32d7fa41d7b2daf4803ebd76897ceb1c1ba5094939e3f0edd119da0f4d',
  },
};

/** The archive for this machine; undefined if none is known. */
export const archiveOfThisMachine = (): Archive | undefined => archives[`${process.platform}-${process.arch}`];

/** Several times the size of the largest archive. */
const LIMIT_BYTES = 300_000_000;
const TIMEOUT_MS = 300_000;

/** Windows has one that reads zip files, and others may come first on its PATH. */
const tar =
  process.platform === 'win32' ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'tar.exe') : 'tar';

/** What `fetch` throws says only in its cause what happened. */
const reasonOf = (error: unknown): Error =>
  error instanceof TypeError && error.cause instanceof Error ? error.cause : (error as Error);

async function fetchInto(file: string, { url, sha256 }: Archive, limitBytes: number): Promise<void> {
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const response = await fetch(url, { dispatcher, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok || !response.body) throw new Error(`${new URL(url).host} responded ${response.status}`);
    const hash = createHash('sha256');
    let bytes = 0;
    async function* counted(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > limitBytes) throw new Error(`the archive has more than ${limitBytes} bytes`);
        hash.update(chunk);
        yield chunk;
      }
    }
    await writeFile(file, counted(response.body));
    const found = hash.digest('hex');
    if (found !== sha256) throw new Error(`the archive has the checksum ${found} and not ${sha256}: it was deleted`);
  } catch (error) {
    rmSync(file, { force: true });
    throw reasonOf(error);
  } finally {
    await dispatcher.destroy();
  }
}

/**
 * Downloads the development server and unpacks it, if it is the file that it should be.
 * @returns the path of the program, in `folder`.
 * @throws Error if it cannot be had, is larger than `limitBytes` or has another checksum; nothing of it is unpacked then.
 */
export async function downloadTemporal(folder: string, archive: Archive, limitBytes = LIMIT_BYTES): Promise<string> {
  const file = join(folder, 'archive');
  await fetchInto(file, archive, limitBytes);
  await runTool({
    name: 'tar',
    command: tar,
    args: ['-xf', file, '-C', folder, temporalProgram],
    logFile: join(folder, 'unpacking.log'),
    timeoutMs: 60_000,
  });
  return join(folder, temporalProgram);
}
