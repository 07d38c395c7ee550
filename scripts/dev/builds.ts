import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildResult, context } from 'esbuild';
import { inOneFile } from '../build/sandbox.ts';
import { projectFolder } from '../start/services.ts';

export const watchedServices = ['bff', 'backend', 'orders'] as const;
export type WatchedService = (typeof watchedServices)[number];

const folder = join(projectFolder, 'dist/dev');

/** A service's own modules in one file; its packages stay outside, so that it takes a fifth of a second to make again. */
export interface ServiceBuild {
  /** The file. */
  program: string;
  /** Whether the file is made from this one, relative to the project. */
  uses(file: string): boolean;
  /** What it imports of packages. */
  packages(): string[];
  /** @returns whether it differs from before. @throws if it cannot be made; esbuild has said why. */
  rebuild(): Promise<boolean>;
  dispose(): Promise<void>;
}

type Result = BuildResult<{ metafile: true; write: false }>;

const packagesOf = ({ metafile }: Result): string[] => {
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return [
    ...new Set(imports.filter(({ external, kind }) => external && kind === 'import-statement').map(({ path }) => path)),
  ];
};

export async function createBuild(name: WatchedService): Promise<ServiceBuild> {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `${name}.mjs`);
  const building = await context({
    ...inOneFile,
    entryPoints: [`api/${name}/main.ts`],
    outfile: program,
    metafile: true,
    write: false,
  });
  let built: Result | undefined;
  let digest = '';
  return {
    program,
    uses: (file) => built === undefined || file in built.metafile.inputs,
    packages: () => (built ? packagesOf(built) : []),
    async rebuild() {
      const result = await building.rebuild();
      built = result;
      const hash = createHash('sha256');
      for (const { path, contents } of result.outputFiles) if (!path.endsWith('.map')) hash.update(contents);
      const found = hash.digest('hex');
      if (found === digest) return false;
      digest = found;
      for (const { path, contents } of result.outputFiles) writeFileSync(path, contents);
      return true;
    },
    dispose: () => building.dispose(),
  };
}
