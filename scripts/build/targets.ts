import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../start/services.ts';
import type { Target } from './inputs.ts';

const dist = join(projectFolder, 'dist');

/** The code that workers run; production, tests and replay share this file. */
export const workflowBundle: Target = {
  name: 'workflow-bundle',
  output: 'dist/workflow-bundle.js',
  inputs: ['workflows', 'domain', 'temporal.config.ts', 'package-lock.json'],
  build: async () => {
    const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(projectFolder, 'workflows/index.ts'),
      logger: new DefaultLogger('WARN'),
    });
    mkdirSync(dist, { recursive: true });
    const fresh = join(dist, `workflow-bundle.${process.pid}.js`);
    writeFileSync(fresh, code);
    renameSync(fresh, join(dist, 'workflow-bundle.js'));
  },
};

/** The console as served by the BFF. */
export const web: Target = {
  name: 'web',
  output: 'dist/web',
  inputs: ['web', 'domain', 'package-lock.json'],
  build: async () => {
    const { build } = await import('vite');
    // Built next to the old one, then moved into place: a running BFF never serves half a console.
    const fresh = join(dist, `web.${process.pid}`);
    await build({
      configFile: join(projectFolder, 'web/vite.config.ts'),
      mode: 'production',
      logLevel: 'warn',
      build: { outDir: fresh, emptyOutDir: true },
    });
    rmSync(join(dist, 'web'), { recursive: true, force: true });
    renameSync(fresh, join(dist, 'web'));
  },
};

export const targets = [workflowBundle, web];
