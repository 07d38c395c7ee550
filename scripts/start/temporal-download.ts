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

/** Of the command, whose development server is 1.32.0. */
export const TEMPORAL_VERSION = '1.9.1';
export const temporalProgram = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

const released = `https://github.com/temporalio/cli/releases/download/v${TEMPORAL_VERSION}/temporal_cli_${TEMPORAL_VERSION}_`;

/**
 * By Node's platform and architecture. The checksums are those that others publish of these files, so that whoever replaces a
 * file of the release does not replace its checksum, too. Elsewhere none was found, and nothing is downloaded.
 */
const archives: Record<string, Archive> = {
  'linux-x64': {
    url: `${released}linux_amd64.tar.gz`,
    sha256: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
  },
  'win32-x64': {
    url: `${released}windows_amd64.zip`,
    sha256: 'babb65844835045c91fb98930fe10b81de28db80c8c609180473d2c0b18c7589',
  },
};

/** The archive for this machine; null if none is known. */
export const archiveOfThisMachine = (): Archive | null => archives[`${process.platform}-${process.arch}`] ?? null;

/** Several times the size of the largest archive. */
const LIMIT_BYTES = 300_000_000;
const TIMEOUT_MS = 300_000;
/** There are other ways to the program: a network that lets nothing through is not waited for. */
const patience = { connect: { timeout: 5000 }, headersTimeout: 10_000, bodyTimeout: 10_000 };

/** Windows has one that reads zip files, and others may come first on its PATH. */
const tar =
  process.platform === 'win32' ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'tar.exe') : 'tar';

/** What `fetch` throws says only in its cause what happened. */
const reasonOf = (error: unknown): Error =>
  error instanceof TypeError && error.cause instanceof Error ? error.cause : (error as Error);

async function fetchInto(file: string, { url, sha256 }: Archive, limitBytes: number): Promise<void> {
  const dispatcher = new EnvHttpProxyAgent(patience);
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
