import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

interface Chunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
}

type Manifest = Record<string, Chunk>;

const kilobyte = 1024;
const limits = { entry: 150 * kilobyte, route: 80 * kilobyte, chart: 220 * kilobyte };
const built = fileURLToPath(new URL('../dist/web/', import.meta.url));

function gzipped(file: string): number {
  return gzipSync(readFileSync(join(built, file)), { level: 9 }).length;
}

/** A chunk with everything that it imports at once, by manifest key. */
function closure(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const imported of manifest[key]?.imports ?? []) closure(manifest, imported, found);
  return found;
}

function weigh(manifest: Manifest, keys: Iterable<string>): number {
  const files = new Set([...keys].flatMap((key) => manifest[key]?.file ?? []).filter((file) => file.endsWith('.js')));
  return [...files].reduce((sum, file) => sum + gzipped(file), 0);
}

interface Weight {
  name: string;
  bytes: number;
  limit: number;
}

/** What is loaded already where a lazy chunk is asked for: the frame, and what all its importers share. */
function beneath(manifest: Manifest, key: string, frame: Set<string>): Set<string> {
  const importers = Object.keys(manifest).filter((one) => manifest[one]?.dynamicImports?.includes(key));
  const [first, ...others] = importers.map((one) => closure(manifest, one));
  const shared = [...(first ?? [])].filter((part) => others.every((one) => one.has(part)));
  return new Set([...frame, ...shared]);
}

/**
 * Weighs what a browser loads: the entry with all it imports, and for each lazily loaded chunk what comes on top of what
 * is there. Sizes are gzip bytes of JavaScript.
 */
export function weights(manifest: Manifest): Weight[] {
  const entryKey = Object.keys(manifest).find((key) => manifest[key]?.isEntry);
  if (!entryKey) throw new Error('the manifest has no entry');
  const entry = closure(manifest, entryKey);
  const frame = new Set([...entry, ...closure(manifest, 'frame/AppFrame.vue')]);
  const lazy = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry && !entry.has(key));
  return [
    { name: 'entry', bytes: weigh(manifest, entry), limit: limits.entry },
    ...lazy.map((key) => {
      const there = key.endsWith('Frame.vue') ? entry : beneath(manifest, key, frame);
      const own = [...closure(manifest, key)].filter((part) => !there.has(part));
      return { name: key, bytes: weigh(manifest, own), limit: key.endsWith('Chart.vue') ? limits.chart : limits.route };
    }),
  ].sort((one, other) => other.bytes - one.bytes);
}

/** What opening a page cold loads: the entry, the frame, the page and all that they import at once. */
export interface Opening {
  name: string;
  files: number;
  bytes: number;
  holdsSchemas: boolean;
}

/** zod keeps the inside of each schema under this name, which minifying leaves alone; code that only uses schemas does not. */
const insideOfSchemas = /\b_zod\b/;

const holdsSchemas = (file: string): boolean => insideOfSchemas.test(readFileSync(join(built, file), 'utf8'));

function openings(manifest: Manifest): Opening[] {
  const entry = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const pages = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry && key.endsWith('Page.vue'));
  return pages.map((name) => {
    const keys = new Set([...entry, 'frame/AppFrame.vue', name].flatMap((key) => [...closure(manifest, key)]));
    const files = new Set([...keys].flatMap((key) => manifest[key]?.file ?? []));
    return { name, files: files.size, bytes: weigh(manifest, keys), holdsSchemas: [...files].some(holdsSchemas) };
  });
}

const manifestFile = join(built, '.vite', 'manifest.json');

/** The weights of what is built in dist/web, heaviest first. */
export function builtWeights(): Weight[] {
  return weights(JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest);
}

/** What each page of what is built in dist/web loads when it is opened cold. */
export function builtOpenings(): Opening[] {
  return openings(JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest);
}

/** Whether any chunk of what is built in dist/web holds schemas. */
export function builtWithSchemas(): boolean {
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
  return Object.values(manifest).some(({ file }) => file.endsWith('.js') && holdsSchemas(file));
}

function main(): void {
  if (!existsSync(manifestFile)) {
    process.stderr.write('dist/web is not built: run npm run build first\n');
    process.exitCode = 1;
    return;
  }
  const found = builtWeights();
  for (const { name, bytes, limit } of found) {
    const size = `${(bytes / kilobyte).toFixed(1).padStart(7)} KB of ${limit / kilobyte} KB`;
    process.stdout.write(`${bytes > limit ? 'OVER' : 'ok  '} ${size}  ${name}\n`);
  }
  if (found.some(({ bytes, limit }) => bytes > limit)) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
