import { buildIfChanged } from './build/inputs.ts';
import { targets } from './build/targets.ts';
import { elapsed } from './start/progress.ts';

/** `npm run build` builds what production needs, where its inputs changed; `npm run build -- web` only that one. */
const wanted = process.argv.slice(2);
for (const target of targets.filter(({ name, forDevelopment }) =>
  wanted.length === 0 ? !forDevelopment : wanted.includes(name),
)) {
  const start = Date.now();
  const built = await buildIfChanged(target).catch((error: unknown) => {
    console.error(error);
    console.error(`${target.name} failed to build: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });
  console.log(built ? `${target.output} built after ${elapsed(start)}` : `${target.output} is up to date`);
}
// The bundler's and the console's tools may leave watchers behind.
process.exit(0);
