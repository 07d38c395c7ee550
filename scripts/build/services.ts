import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { migrationsFolder } from '#db/migrate.ts';
import { builtServices, projectFolder } from '../start/services.ts';
import type { Target } from './inputs.ts';
import { packages } from './packages.ts';
import { protocolFrom, roots } from './protocol.ts';

/** Errors are logged, and workflows fail, by the names of their classes, which a bundle may change. */
const named: Plugin = {
  name: 'named',
  setup: ({ onLoad, esbuild }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(readFileSync(path, 'utf8'), {
        loader: 'ts',
        keepNames: true,
        sourcefile: path,
        sourcemap: 'inline',
        sourcesContent: false,
      });
      return { contents: code, loader: 'js' };
    });
  },
};

/** ESM has no `require` and no `__filename`, of which packages make use. */
const commonJs = `import { createRequire as createRequire_ } from 'node:module';
import { dirname as dirname_ } from 'node:path';
import { fileURLToPath as fileURLToPath_ } from 'node:url';
const require = createRequire_(import.meta.url), __filename = fileURLToPath_(import.meta.url), __dirname = dirname_(__filename);`;

const shared: BuildOptions = {
  absWorkingDir: projectFolder,
  bundle: true,
  platform: 'node',
  // The oldest that runs it.
  target: 'node20',
  charset: 'ascii',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'error',
};

const programs = {
  bff: 'api/bff/main.ts',
  backend: 'api/backend/main.ts',
  orders: 'api/orders/main.ts',
  migrate: 'scripts/migrate.ts',
  // What staff run beside the services: images have no sources.
  restored: 'scripts/restored/main.ts',
  adopt: 'scripts/adopt/main.ts',
  reencrypt: 'scripts/reencrypt/main.ts',
  audit: 'scripts/audit.ts',
};

/** Puts a folder in the place of an earlier one. */
function replaceFolder(output: string, fresh: string): void {
  rmSync(join(projectFolder, output), { recursive: true, force: true });
  renameSync(fresh, join(projectFolder, output));
}

/**
 * The services, `migrate` and what staff run, as JavaScript with their packages, which is what production and `npm start` run. Only
 * the SDK's native library and Scalar stay in `node_modules`.
 */
export const services: Target = {
  name: 'services',
  output: builtServices,
  inputs: [
    'activities',
    'api',
    'clients',
    'commands',
    'db',
    'domain',
    'scripts/adopt',
    'scripts/audit.ts',
    'scripts/build',
    'scripts/migrate.ts',
    'scripts/reencrypt',
    'scripts/restored',
    'scripts/start',
    'temporal.config.ts',
    'package-lock.json',
    'workflows/contracts',
  ],
  build: async () => {
    const { build } = await import('esbuild');
    const fresh = join(projectFolder, `${builtServices}.${process.pid}`);
    mkdirSync(fresh, { recursive: true });
    await build({
      ...shared,
      plugins: [protocolFrom(roots.services, fresh, 'protocol.json'), packages, named],
      entryPoints: programs,
      outdir: fresh,
      outExtension: { '.js': '.mjs' },
      format: 'esm',
      splitting: true,
      banner: { js: commonJs },
    });
    // The SDK runs workflows in a thread of their own.
    await build({
      ...shared,
      plugins: [protocolFrom(roots.workflows, fresh, 'protocol-of-workflows.json'), packages, named],
      entryPoints: {
        'workflow-thread': 'node_modules/@temporalio/worker/lib/workflow/workflow-worker-thread.js',
        'sealed-failures': 'api/runtime/sealed-failures.cjs',
      },
      outdir: fresh,
      outExtension: { '.js': '.cjs' },
      format: 'cjs',
    });
    copyFileSync(join(projectFolder, 'node_modules/source-map/lib/mappings.wasm'), join(fresh, 'mappings.wasm'));
    replaceFolder(builtServices, fresh);
  },
};

/** What the compiled `migrate` runs, file by file: the database notes their names. */
export const migrations: Target = {
  name: 'migrations',
  output: 'dist/migrations',
  inputs: ['migrations', 'package-lock.json', 'scripts/build'],
  build: async () => {
    const { build } = await import('esbuild');
    const fresh = join(projectFolder, `dist/migrations.${process.pid}`);
    const files = readdirSync(migrationsFolder, { recursive: true, encoding: 'utf8' });
    await build({
      ...shared,
      plugins: [packages, named],
      entryPoints: files.filter((file) => /^\w+[\\/]\w+\.(ts|sql)$/.test(file)).map((file) => `migrations/${file}`),
      outdir: fresh,
      loader: { '.sql': 'copy' },
      outbase: 'migrations',
      outExtension: { '.js': '.mjs' },
      format: 'esm',
    });
    replaceFolder('dist/migrations', fresh);
  },
};
