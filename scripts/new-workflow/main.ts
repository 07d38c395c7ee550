import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { projectFolder } from '../start/services.ts';
import { generateWorkflow } from './generate.ts';

/** `npm run new:workflow -- <name> [--service=orders]`. */
function main(): void {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { service: { type: 'string' } } });
  const [name, ...others] = positionals;
  const { service = 'outreach' } = values;
  if (name === undefined || others.length > 0) throw new Error('One name, please, such as recount-tags');
  if (service !== 'outreach' && service !== 'orders') throw new Error('--service: must be outreach or orders');
  const files = generateWorkflow(projectFolder, name, service);
  execFileSync('npx', ['prettier', '--write', ...files], { cwd: projectFolder, stdio: 'ignore' });
  const test = `workflows/${service}/${name}/`;
  console.log(
    [
      ...files,
      '',
      `RECORD_HISTORIES=on npm test -- ${test}   keeps its history; name its type in test/replay/replay.test.ts`,
      'What it looks like to staff, and what may change later: CONTRIBUTING.md, Workflows.',
    ].join('\n'),
  );
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
