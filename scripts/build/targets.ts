import { createRequire } from 'node:module';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowBundle } from '#domain/settings/temporal.ts';
import { projectFolder } from '../start/services.ts';
import type { Target } from './inputs.ts';
import { sandbox } from './sandbox.ts';
import { migrations, services } from './services.ts';

const dist = join(projectFolder, 'dist');

/**
 * A worker keeps the code and its map in two threads, so both are made small: without comments, in ASCII (any other
 * character makes V8 take two bytes for each), and without a copy of the sources.
 */
async function compacted(code: string): Promise<string> {
  const { transform } = await import('esbuild');
  const compact = await transform(code, {
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    charset: 'ascii',
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile: 'workflow-bundle.js',
  });
  return compact.code;
}

const failureConverter = 'api/runtime/sealed-failures.cjs';

const ofWorkflows = ['workflows', 'domain', 'temporal.config.ts', 'package-lock.json', 'scripts/build'];

/** Of the package that traces runs, by a path within it that its own plugin uses. */
const tracingModule = '@temporalio/interceptors-opentelemetry-v2/lib/workflow-interceptors';

async function bundleWorkflows(name: WorkflowBundle): Promise<void> {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const workflowsPath = join(projectFolder, 'workflows/index.ts');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('WARN'),
    ...(name.includes('sealed-') && { failureConverterPath: join(projectFolder, failureConverter) }),
    ...(name.includes('traced-') && {
      workflowInterceptorModules: [createRequire(import.meta.url).resolve(tracingModule)],
    }),
  });
  mkdirSync(dist, { recursive: true });
  const fresh = join(dist, `${name}.${process.pid}.js`);
  writeFileSync(fresh, await compacted(code));
  renameSync(fresh, join(dist, `${name}.js`));
}

const targetOf = (name: WorkflowBundle): Target => ({
  name,
  output: `dist/${name}.js`,
  inputs: [...ofWorkflows, failureConverter],
  build: () => bundleWorkflows(name),
});

/** The code that workers run; production, tests and replay share this file. */
export const workflowBundle = targetOf('workflow-bundle');

/** The same for workers with TEMPORAL_PAYLOAD_KEYS: the texts of a workflow's failures leave it as payloads. */
export const sealedWorkflowBundle = targetOf('sealed-workflow-bundle');

/** The same for workers with OTEL_EXPORTER_OTLP_ENDPOINT, without and with keys. */
export const tracedWorkflowBundle = targetOf('traced-workflow-bundle');
const tracedSealedWorkflowBundle = targetOf('traced-sealed-workflow-bundle');

/** The console as served by the BFF. */
export const web: Target = {
  name: 'web',
  output: 'dist/web',
  inputs: ['web', 'domain', 'package-lock.json'],
  shared: true,
  build: async () => {
    const { buildConsole } = await import('#web/bundling/build-console.ts');
    // Built next to the old one, then moved into place: a running BFF never serves half a console.
    const fresh = join(dist, `web.${process.pid}`);
    await buildConsole(fresh);
    rmSync(join(dist, 'web'), { recursive: true, force: true });
    renameSync(fresh, join(dist, 'web'));
  },
};

export const targets = [
  workflowBundle,
  sealedWorkflowBundle,
  tracedWorkflowBundle,
  tracedSealedWorkflowBundle,
  web,
  services,
  migrations,
  sandbox,
];
