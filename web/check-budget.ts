import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Bundled, BUNDLED_FILE, withImports } from './bundling/bundled.ts';

const kilobyte = 1024;
const limits = { entry: 160 * kilobyte, route: 92 * kilobyte, chart: 220 * kilobyte };
const built = fileURLToPath(new URL('../dist/web/', import.meta.url));
const bundledFile = join(built, BUNDLED_FILE);

const readBundled = (): Bundled => JSON.parse(readFileSync(bundledFile, 'utf8')) as Bundled;

const gzipped = (file: string): number => gzipSync(readFileSync(join(built, file)), { level: 9 }).length;

/** As the services send it to browsers. */
const brotli = (file: string): number => readFileSync(join(built, `${file}.br`)).length;

const weigh = (files: Iterable<string>, weightOf: (file: string) => number): number =>
  [...files].reduce((sum, file) => sum + weightOf(file), 0);

interface Weight {
  name: string;
  bytes: number;
  limit: number;
}

/** What is loaded already where a script is asked for: the frame, and what all shares that may ask for it. */
function beneath({ scripts }: Bundled, script: string, frame: Set<string>): Set<string> {
  const askers = Object.keys(scripts).filter((name) => scripts[name]?.loadsLater.includes(script));
  const [first, ...others] = askers.map((name) => withImports(scripts, [name]));
  const shared = [...(first ?? [])].filter((name) => others.every((one) => one.has(name)));
  return new Set([...frame, ...shared]);
}

/**
 * What a browser loads: the entry with all it imports, and for each module that is loaded when it is needed what comes on
 * top of what is there. Sizes are gzip bytes of JavaScript.
 */
export function builtWeights(): Weight[] {
  const bundled = readBundled();
  const { scripts, lazy, entry: entryScript } = bundled;
  const entry = withImports(scripts, [entryScript]);
  const frame = withImports(scripts, [entryScript, lazy['frame/AppFrame.vue'] ?? '']);
  return [
    { name: 'entry', bytes: weigh(entry, gzipped), limit: limits.entry },
    ...Object.entries(lazy).map(([name, script]) => {
      const there = name.endsWith('Frame.vue') ? entry : beneath(bundled, script, frame);
      const own = [...withImports(scripts, [script])].filter((file) => !there.has(file));
      const limit = name.endsWith('Chart.vue') ? limits.chart : limits.route;
      return { name, bytes: weigh(own, gzipped), limit };
    }),
  ].toSorted((one, other) => other.bytes - one.bytes);
}

/** What opening a page cold loads before it shows. */
export interface BuiltOpening {
  /** Its address, with `:name` for each parameter. */
  path: string;
  /** Scripts, among them the texts, and styles. */
  files: number;
  /** Of the scripts apart from the texts. */
  gzipBytes: number;
  /** Of all files. */
  brotliBytes: number;
  holdsSchemas: boolean;
}

/** zod keeps the inside of each schema under this name, which minifying leaves alone; code that only uses schemas does not. */
const insideOfSchemas = /\b_zod\b/;

const holdsSchemas = (file: string): boolean => insideOfSchemas.test(readFileSync(join(built, file), 'utf8'));

export function builtOpenings(): BuiltOpening[] {
  const { scripts, entry, openings, texts } = readBundled();
  const always = [...withImports(scripts, [entry])];
  const basicStyles = always.flatMap((file) => scripts[file]?.styles ?? []);
  return openings.map(({ path, scripts: more, styles }) => {
    const code = [...always, ...more];
    const others = [texts['en'] ?? '', ...basicStyles, ...styles];
    return {
      path,
      files: code.length + others.length,
      gzipBytes: weigh(code, gzipped),
      brotliBytes: weigh([...code, ...others], brotli),
      holdsSchemas: code.some(holdsSchemas),
    };
  });
}

/** Scripts and styles that no page needs in order to show, because they belong to what is loaded later. */
export function builtLater(): Set<string> {
  const { scripts, lazy, openings } = readBundled();
  const inOpenings = new Set(openings.flatMap(({ modules }) => modules));
  const later = Object.entries(lazy).flatMap(([module, script]) => (inOpenings.has(module) ? [] : [script]));
  const all = [...withImports(scripts, later)];
  return new Set([...all, ...all.flatMap((name) => scripts[name]?.styles ?? [])]);
}

/** Whether any script of what is built in dist/web holds schemas. */
export const builtWithSchemas = (): boolean => Object.keys(readBundled().scripts).some(holdsSchemas);

function main(): void {
  if (!existsSync(bundledFile)) {
    process.stderr.write('dist/web is not built: run npm run build first\n');
    process.exitCode = 1;
    return;
  }
  for (const { path, files, gzipBytes, brotliBytes } of builtOpenings())
    process.stdout.write(`${String(files).padStart(3)} files, ${gzipBytes} B gzip, ${brotliBytes} B brotli  ${path}\n`);
  const found = builtWeights();
  for (const { name, bytes, limit } of found) {
    const size = `${(bytes / kilobyte).toFixed(1).padStart(7)} KB of ${limit / kilobyte} KB`;
    process.stdout.write(`${bytes > limit ? 'OVER' : 'ok  '} ${size}  ${name}\n`);
  }
  if (found.some(({ bytes, limit }) => bytes > limit)) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
