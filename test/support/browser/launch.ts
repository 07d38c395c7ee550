import { accessSync, constants } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The first has no window of its own to draw, and takes two thirds of the processor that the others take. */
const candidates = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** CHROME_PATH, otherwise a browser where Debian installs it, otherwise undefined. */
function findBrowser(): string | undefined {
  const given = process.env.CHROME_PATH;
  if (!given) return candidates.find(isProgram);
  if (!isProgram(given)) throw new Error(`CHROME_PATH: ${given} is not a program`);
  return given;
}

function skip(context: Mocha.Context): never {
  process.stdout.write('    skipped: no browser found; install Chromium or set CHROME_PATH\n');
  return context.skip();
}

/** @returns null if the machine has no browser. */
export async function startBrowser(): Promise<Browser | null> {
  const executablePath = findBrowser();
  if (!executablePath) return null;
  return chromium.launch({ executablePath, headless: true, args: flags, handleSIGINT: false, handleSIGTERM: false });
}

let shared: Promise<Browser | null> | undefined;

/** As `launchBrowser`, for the files of this process one after the other; it ends with the process. */
export async function sharedBrowser(context: Mocha.Context): Promise<Browser> {
  context.timeout(60_000);
  shared ??= startBrowser();
  const browser = await shared;
  return browser ?? skip(context);
}

/**
 * Starts the browser; call it in `before` with the hook's context. Without a browser the tests are skipped and a line
 * says why. Close it with `browser.close()`.
 */
export async function launchBrowser(context: Mocha.Context): Promise<Browser> {
  context.timeout(60_000);
  return (await startBrowser()) ?? skip(context);
}
