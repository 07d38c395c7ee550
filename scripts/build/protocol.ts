import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { projectFolder } from '../start/services.ts';

/** A part of Temporal's protocol as protobufjs describes it: a namespace, message, field, enumeration or service. */
interface Part {
  nested?: Parts;
  fields?: Record<string, { type: string }>;
  methods?: Record<string, { requestType: string; responseType: string }>;
  [name: string]: unknown;
}
type Parts = Record<string, Part>;

/**
 * Where what a thread sends and receives begins. The rest of the protocol would be several objects for each of its fields, in
 * each thread of each service: Temporal's cloud, how the protocol is described, and in threads of workflows every call.
 */
export const roots = {
  services: [
    'coresdk',
    'google.rpc',
    'grpc.health',
    ...['errordetails', 'operatorservice', 'sdk', 'testservice', 'workflowservice'].map(
      (name) => `temporal.api.${name}`,
    ),
  ],
  workflows: ['coresdk.workflow_activation', 'coresdk.workflow_completion'],
};

function partAt(protocol: Parts, path: readonly string[]): Part | undefined {
  const [first = '', ...rest] = path;
  return rest.reduce<Part | undefined>((part, name) => part?.nested?.[name], protocol[first]);
}

/** A name counts from the innermost place around it that has it, as in protobuf. */
function resolve(protocol: Parts, name: string, from: readonly string[]): string[] | null {
  for (let depth = from.length; depth >= 0; depth -= 1) {
    const path = [...from.slice(0, depth), ...name.replace(/^\./, '').split('.')];
    if (partAt(protocol, path)) return path;
  }
  return null;
}

/** The paths of everything that can be reached from these parts. */
function reachable(protocol: Parts, from: readonly string[]): Set<string> {
  const found = new Set<string>();
  function reach(path: readonly string[]): void {
    const part = partAt(protocol, path);
    if (!part || found.has(path.join('.'))) return;
    found.add(path.join('.'));
    const calls = Object.values(part.methods ?? {}).flatMap(({ requestType, responseType }) => [
      requestType,
      responseType,
    ]);
    for (const name of [...Object.values(part.fields ?? {}).map(({ type }) => type), ...calls]) {
      const target = resolve(protocol, name, path);
      // What it is nested in comes with it, unless that is a namespace, which has no fields.
      target?.forEach(
        (_, index) => partAt(protocol, target.slice(0, index + 1))?.fields && reach(target.slice(0, index + 1)),
      );
      if (target) reach(target);
    }
  }
  function reachAll(path: readonly string[]): void {
    reach(path);
    for (const name of Object.keys(partAt(protocol, path)?.nested ?? {})) reachAll([...path, name]);
  }
  for (const path of from) reachAll(path.split('.'));
  return found;
}

/** Comments, and options that say how the protocol is documented or mapped to HTTP. */
const isDocumentation = (name: string): boolean =>
  name.startsWith('(') || name === 'comment' || name === 'parsedOptions';

const withoutDocumentation = (part: Part): Part =>
  JSON.parse(JSON.stringify(part, (name, value: unknown) => (isDocumentation(name) ? undefined : value))) as Part;

/** The parts that are kept, or hold some that are. */
function keep(parts: Parts, kept: ReadonlySet<string>, path = ''): Parts {
  const left = Object.entries(parts).flatMap(([name, { nested, ...part }]): [string, Part][] => {
    const inner = keep(nested ?? {}, kept, `${path}${name}.`);
    const isHolder = Object.keys(inner).length > 0;
    if (!isHolder && !kept.has(path + name)) return [];
    return [[name, { ...withoutDocumentation(part), ...(isHolder ? { nested: inner } : {}) }]];
  });
  return Object.fromEntries(left);
}

const MODULE = 'node_modules/@temporalio/proto/protos/json-module.js';
const described = /^(?<before>[^]*\.addJSON\()(?<parts>\{[^]*\})(?<after>\)[^]*)$/;

/** @throws Error if a release of the SDK describes its protocol in another way. */
function readModule(): { before: string; protocol: Parts; after: string } {
  const found = described.exec(readFileSync(join(projectFolder, MODULE), 'utf8'))?.groups;
  if (!found) throw new Error(`${MODULE} describes no protocol: adapt scripts/build/protocol.ts`);
  const { before = '', parts = '', after = '' } = found;
  return { before, protocol: JSON.parse(parts) as Parts, after };
}

/**
 * Compiles Temporal's protocol as far as it is used, with a file of its own: as part of the script it would be kept for
 * good, as its text and as the constants of a function that runs once.
 * @param folder where the script is written, and the file with it.
 */
export const protocolFrom = (from: readonly string[], folder: string, file: string): Plugin => ({
  name: 'protocol',
  setup: ({ onLoad }) => {
    onLoad({ filter: /@temporalio\/proto\/protos\/json-module\.js$/ }, () => {
      const { before, protocol, after } = readModule();
      writeFileSync(join(folder, file), JSON.stringify(keep(protocol, reachable(protocol, from))));
      const read = `JSON.parse(require('node:fs').readFileSync(require('node:path').join(__dirname, '${file}'), 'utf8'))`;
      return { contents: `${before}${read}${after}`, loader: 'js' };
    });
  },
});
