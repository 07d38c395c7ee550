// Plain Node, since it runs before anything is installed: the first step of `npm start` and `npm test`.
import { spawn } from 'node:child_process';
import { existsSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../', import.meta.url));

const lockFile = `${projectFolder}package-lock.json`;
/** npm writes it at the end of every install. */
const installed = `${projectFolder}node_modules/.package-lock.json`;

function isInstalled() {
  if (!existsSync(installed)) return false;
  return !existsSync(lockFile) || statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs;
}

/** @returns what went wrong, if anything. */
function npm(...args) {
  return new Promise((resolve) => {
    const options = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
    const child = spawn('npm', [...args, ...options], {
      cwd: projectFolder,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? (code === 0 ? undefined : `code ${code}`)));
  });
}

/** Installs the dependencies if they are missing or older than package-lock.json. Exits the process on failure. */
export async function install() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Node ${process.versions.node} is too old: install Node 20.19 or later`);
    process.exit(1);
  }
  if (isInstalled()) return;
  const start = Date.now();
  const elapsed = () => `${Math.round((Date.now() - start) / 1000)} s`;
  console.log('Installing dependencies, which takes a minute, or half of one with what npm has kept …');
  const timer = setInterval(() => console.log(`Installing dependencies … ${elapsed()}`), 10_000);
  // A clean install if there is nothing yet, which asks the registry about nothing that npm has kept; otherwise only what
  // changed, since another program may be using the folder.
  let failure = existsSync(`${projectFolder}node_modules`) ? 'skipped' : await npm('ci', '--prefer-offline');
  if (failure) failure = await npm('install', '--no-save');
  clearInterval(timer);
  if (failure) {
    console.error(`npm install failed (${failure}); see its message above`);
    process.exit(1);
  }
  // A lock file written by a checkout while npm ran would otherwise count as newer forever.
  if (existsSync(installed)) utimesSync(installed, new Date(), new Date());
  console.log(`Installing dependencies: done after ${elapsed()}`);
}
