import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type WorkflowService = 'outreach' | 'orders';

/** The forms of a name such as `recount-tags`. */
interface Names {
  /** `recount-tags` */
  file: string;
  /** `recountTags` */
  type: string;
  /** `RecountTags` */
  noun: string;
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** @throws Error for a name that is no kebab-case of at least two words. */
function namesOf(file: string): Names {
  if (!/^[a-z]+(-[a-z]+)+$/.test(file)) throw new Error(`${file}: must be words such as recount-tags`);
  const noun = file.split('-').map(capitalised).join('');
  return { file, noun, type: noun.charAt(0).toLowerCase() + noun.slice(1) };
}

const places = {
  outreach: { contracts: 'workflows/contracts', deps: 'OutreachDeps', activities: 'OutreachActivities' },
  orders: { contracts: 'workflows/contracts/orders', deps: 'OrdersActivityDeps', activities: 'OrdersActivities' },
} as const;

function contract({ noun, file, type }: Names): string {
  return `/** Of one run; an input may only gain optional fields. */
export interface ${noun}Input {
  tenantId: string;
}

export interface ${noun}Result {
  done: number;
}

/** By its type alone, so that what starts it does not import the workflow. */
export const ${type}WorkflowId = ({ tenantId }: ${noun}Input): string => \`${file}:\${tenantId}\`;
`;
}

function activity(service: WorkflowService, { noun, type }: Names): string {
  const { deps } = places[service];
  const from = service === 'outreach' ? '../deps.ts' : '../index.ts';
  return `import type { ${deps} } from '${from}';

export function create${noun}Activities(_deps: Pick<${deps}, 'database'>) {
  return {
    /** Safe to repeat: an activity that was not heard of is run again. */
    ${type}Batch: (_input: { tenantId: string }): Promise<{ done: number; more: boolean }> =>
      Promise.resolve({ done: 0, more: false }),
  };
}
`;
}

function workflow(service: WorkflowService, { noun, file, type }: Names): string {
  const { activities, contracts } = places[service];
  return `import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ${activities} } from '#activities/${service}/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type { ${noun}Input, ${noun}Result } from '#${contracts}/${file}.ts';

const { ${type}Batch } = proxyActivities<${activities}>(activityProfiles.database);

/** Works in batches, each of which is a step of its own. */
export async function ${type}({ tenantId }: ${noun}Input): Promise<${noun}Result> {
  let done = 0;
  for (;;) {
    const batch = await ${type}Batch({ tenantId });
    done += batch.done;
    setCurrentDetails(\`\${done} done.\`);
    if (!batch.more) return { done };
  }
}
`;
}

/** It records its own history, for test/replay. */
function test(service: WorkflowService, { noun, file, type }: Names): string {
  const { contracts } = places[service];
  return `import { join } from 'node:path';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { collectHistories, writeHistories } from '#scripts/capture/histories.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { createNamespace } from '#test/support/servers/temporal.ts';
import { productionBundle } from '#test/support/services/outreach-worker.ts';
import { type ${noun}Result, ${type}WorkflowId } from '#${contracts}/${file}.ts';

describe('${type}', function () {
  this.timeout(120_000);

  it('works until nothing is left', async () => {
    const { address, client, namespace, close } = await createNamespace();
    const connection = await NativeConnection.connect({ address });
    const answers = [
      { done: 2, more: true },
      { done: 1, more: false },
    ];
    const activities = { ${type}Batch: () => Promise.resolve(answers.shift()) };
    const taskQueue = '${service}';
    const worker = await Worker.create({
      connection, namespace, taskQueue, activities, workflowBundle: await productionBundle(),
    });
    const input = { tenantId: 't' };
    const run = client.workflow.execute<(given: typeof input) => Promise<${noun}Result>>('${type}', {
      taskQueue,
      workflowId: ${type}WorkflowId(input),
      args: [input],
    });
    const result = await worker.runUntil(run);
    expect(result).to.deep.equal({ done: 3 });
    // RECORD_HISTORIES=on keeps this run for test/replay, which counts those of each type.
    if (process.env.RECORD_HISTORIES === 'on')
      writeHistories(join(projectFolder, 'test/histories'), await collectHistories(client));
    await connection.close();
    await close();
  });
});
`;
}

/** Puts a line before the first line that matches. @throws Error if the file has none. */
function insert(folder: string, path: string, line: string, before: RegExp): void {
  const full = join(folder, path);
  const lines = readFileSync(full, 'utf8').split('\n');
  const at = lines.findIndex((one) => before.test(one));
  if (at === -1) throw new Error(`${path} has no line like ${before}`);
  lines.splice(at, 0, line);
  writeFileSync(full, lines.join('\n'));
}

/**
 * Writes contract, activity, workflow and test of a workflow that works in batches, and registers them.
 * @param folder of the project
 * @returns the files that are new or changed.
 * @throws Error if the name is no name, or taken.
 */
export function generateWorkflow(folder: string, name: string, service: WorkflowService): string[] {
  const names = namesOf(name);
  const { file, noun, type } = names;
  const { contracts } = places[service];
  const files: Record<string, string> = {
    [`${contracts}/${file}.ts`]: contract(names),
    [`activities/${service}/${file}/${file}.ts`]: activity(service, names),
    [`workflows/${service}/${file}/${file}.ts`]: workflow(service, names),
    [`workflows/${service}/${file}/${file}.test.ts`]: test(service, names),
  };
  for (const path of Object.keys(files))
    if (existsSync(join(folder, path))) throw new Error(`${path} is there already`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const index = `activities/${service}/index.ts`;
  insert(folder, index, `import { create${noun}Activities } from './${file}/${file}.ts';`, /^import /);
  insert(folder, index, `    ...create${noun}Activities(deps),`, /^ {4}\.\.\.create/);
  insert(folder, 'workflows/types.ts', `export { ${type} } from './${service}/${file}/${file}.ts';`, /^export /);
  insert(folder, 'temporal.config.ts', `  ${type}: 'PINNED',`, /^ {2}aiCopywriting: /);
  return [...Object.keys(files), index, 'workflows/types.ts', 'temporal.config.ts'];
}
