import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { type Bundled, BUNDLED_FILE, withImports } from './bundled.ts';
import { compressFiles } from './compress-files.ts';
import { fewerFiles, type Load } from './fewer-files.ts';
import { openings } from './openings.ts';

type Chunk = Rolldown.OutputChunk;

const web = fileURLToPath(new URL('..', import.meta.url));

/** Cost model: bytes saved per avoided request; per-page weight and allowed overhead. */
const BYTES_OF_FILE = 13_000;
const overview = { weight: 28, growth: 0.06 };
const page = { weight: 1, growth: 0.14 };
const later = { weight: 0.2, growth: 0.3 };

const texts = { en: 'locales/en.json', 'zh-Hant': 'locales/zh-Hant.json' };

async function bundle(how: InlineConfig['build']): Promise<Chunk[]> {
  const result = await build({
    configFile: join(web, 'vite.config.ts'),
    mode: 'production',
    logLevel: 'warn',
    ...(how ? { build: how } : {}),
  });
  if (!('output' in result)) throw new Error('the console is built once');
  return result.output.filter((part) => part.type === 'chunk');
}

function entryOf(chunks: readonly Chunk[]): Chunk {
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('the console has no entry');
  return entry;
}

/** Says which chunk has a module, by its file below `web/`. */
function whereIs(chunks: readonly Chunk[]): (module: string) => Chunk {
  const places = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((id) => [relative(web, id), chunk])));
  return (module) => {
    const chunk = places.get(module);
    if (!chunk) throw new Error(`${module} is in no script of the console`);
    return chunk;
  };
}

/** The modules that are loaded only where they are needed, by their files below `web/`. */
const lazyModules = (chunks: readonly Chunk[]): string[] =>
  chunks.flatMap(({ isDynamicEntry, facadeModuleId }) =>
    isDynamicEntry && facadeModuleId ? [relative(web, facadeModuleId)] : [],
  );

function loadsOf(chunks: readonly Chunk[]): Load[] {
  const chunkOf = whereIs(chunks);
  const entry = entryOf(chunks);
  const pieces = (modules: readonly string[]) => [entry, ...modules.map(chunkOf)].map(({ fileName }) => fileName);
  const inOpenings = new Set(openings.flatMap(({ modules }) => modules));
  return [
    ...openings.map(({ path, modules }) => ({ pieces: pieces(modules), ...(path === '/app' ? overview : page) })),
    ...lazyModules(chunks)
      .filter((module) => !inOpenings.has(module))
      .map((module) => ({ pieces: pieces(['frame/AppFrame.vue', module]), ...later })),
  ];
}

/** The name of the script that each module goes into, by the module's id; of those that are not alone in theirs. */
function scriptNames(chunks: readonly Chunk[]): Map<string, string> {
  const chunkOf = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const pieces = chunks.map(({ fileName, code, imports }) => ({ name: fileName, bytes: code.length, imports }));
  const names = new Map<string, string>();
  for (const [index, file] of fewerFiles(pieces, loadsOf(chunks), BYTES_OF_FILE).entries()) {
    if (file.length === 1) continue;
    const parts = file.flatMap((name) => chunkOf.get(name) ?? []);
    const [largest] = parts.toSorted((one, other) => other.code.length - one.code.length);
    const name = `${largest?.name ?? 'script'}~${index}`;
    for (const id of parts.flatMap(({ moduleIds }) => moduleIds)) names.set(id, name);
  }
  return names;
}

function describe(chunks: readonly Chunk[], lazy: readonly string[]): Bundled {
  const chunkOf = whereIs(chunks);
  const entry = entryOf(chunks).fileName;
  const scripts = Object.fromEntries(
    chunks.map(({ fileName, imports, dynamicImports, viteMetadata }) => [
      fileName,
      { imports, loadsLater: dynamicImports, styles: [...(viteMetadata?.importedCss ?? [])] },
    ]),
  );
  const always = withImports(scripts, [entry]);
  return {
    entry,
    scripts,
    lazy: Object.fromEntries(lazy.map((module) => [module, chunkOf(module).fileName])),
    openings: openings.map((opening) => {
      const needed = withImports(
        scripts,
        opening.modules.map((module) => chunkOf(module).fileName),
      );
      const more = [...needed].filter((name) => !always.has(name));
      return {
        ...opening,
        scripts: more,
        styles: [...new Set(more.flatMap((name) => scripts[name]?.styles ?? []))],
      };
    }),
    texts: Object.fromEntries(Object.entries(texts).map(([locale, file]) => [locale, chunkOf(file).fileName])),
  };
}

/**
 * Builds the console into a folder, in two passes: the bundler alone makes a script of each set of modules that the same
 * pages share, some 250, of which a page needs 60; the second pass puts them together.
 */
export async function buildConsole(folder: string): Promise<void> {
  const pieces = await bundle({ write: false });
  const names = scriptNames(pieces);
  const chunks = await bundle({
    outDir: folder,
    emptyOutDir: true,
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        codeSplitting: {
          groups: [{ debugName: 'pieces', name: (id) => names.get(id) ?? null, includeDependenciesRecursively: false }],
        },
      },
    },
  });
  writeFileSync(join(folder, BUNDLED_FILE), JSON.stringify(describe(chunks, lazyModules(pieces))));
  await compressFiles(folder);
}
