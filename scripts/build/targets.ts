import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { builtServices, projectFolder, serviceEntries } from '../start/services.ts';
import type { Target } from './inputs.ts';

const dist = join(projectFolder, 'dist');

const ofWorkflows = ['workflows', 'domain', 'temporal.config.ts', 'package-lock.json'];

async function bundleWorkflows(name: string, more: { failureConverterPath?: string } = {}): Promise<void> {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const workflowsPath = join(projectFolder, 'workflows/index.ts');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN'), ...more });
  mkdirSync(dist, { recursive: true });
  const fresh = join(dist, `${name}.${process.pid}.js`);
  writeFileSync(fresh, code);
  renameSync(fresh, join(dist, `${name}.js`));
}

/** The code that workers run; production, tests and replay share this file. */
export const workflowBundle: Target = {
  name: 'workflow-bundle',
  output: 'dist/workflow-bundle.js',
  inputs: ofWorkflows,
  build: () => bundleWorkflows('workflow-bundle'),
};

const failureConverter = 'api/runtime/sealed-failures.cjs';

/** The same for workers with TEMPORAL_PAYLOAD_KEYS: the texts of a workflow's failures leave it as payloads. */
export const sealedWorkflowBundle: Target = {
  name: 'sealed-workflow-bundle',
  output: 'dist/sealed-workflow-bundle.js',
  inputs: [...ofWorkflows, failureConverter],
  build: () =>
    bundleWorkflows('sealed-workflow-bundle', { failureConverterPath: join(projectFolder, failureConverter) }),
};

/** The console as served by the BFF. */
export const web: Target = {
  name: 'web',
  output: 'dist/web',
  inputs: ['web', 'domain', 'package-lock.json'],
  build: async () => {
    const { buildConsole } = await import('../../web/bundling/build-console.ts');
    // Built next to the old one, then moved into place: a running BFF never serves half a console.
    const fresh = join(dist, `web.${process.pid}`);
    await buildConsole(fresh);
    rmSync(join(dist, 'web'), { recursive: true, force: true });
    renameSync(fresh, join(dist, 'web'));
  },
};

/** Modules find files relative to themselves, wherever their code ends up. */
const atTheirSource: Plugin = {
  name: 'at their source',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const address = JSON.stringify(pathToFileURL(path).href);
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
};

/**
 * Each service's modules in one file, for tests that start dozens of them: loading some three hundred modules through
 * `tsx` is most of a start. Packages stay outside. `tsx` compiles by the same compiler with the same options.
 */
export const services: Target = {
  name: 'services',
  output: builtServices,
  inputs: [
    'activities',
    'api',
    'clients',
    'db',
    'domain',
    'sandbox',
    'workflows',
    'temporal.config.ts',
    'package-lock.json',
  ],
  forTests: true,
  build: async () => {
    const { build } = await import('esbuild');
    const fresh = join(dist, `services.${process.pid}`);
    await build({
      absWorkingDir: projectFolder,
      entryPoints: serviceEntries,
      outdir: fresh,
      outExtension: { '.js': '.mjs' },
      plugins: [atTheirSource],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: `node${process.versions.node}`,
      keepNames: true,
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'error',
    });
    rmSync(join(projectFolder, builtServices), { recursive: true, force: true });
    renameSync(fresh, join(projectFolder, builtServices));
  },
};

export const targets = [workflowBundle, sealedWorkflowBundle, web, services];
