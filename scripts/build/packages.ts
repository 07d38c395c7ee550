import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { projectFolder } from '../start/services.ts';

/** Parts of packages that no service uses, and what stands in for them. Each would be loaded at every start. */
const instead: [path: RegExp, contents: string][] = [
  // Workflows are bundled by `npm run build`: webpack and its file systems.
  [
    /@temporalio\/worker\/lib\/workflow\/bundler\.js$/,
    `exports.bundleWorkflowCode = () => { throw new Error('Workflows are bundled by npm run build'); };
    exports.defaultWorkflowInterceptorModules = [];
    exports.WorkflowCodeBundler = class {};`,
  ],
  [/knex\/lib\/dialects\/(?!index\.js|postgres\/)[^/]+\/index\.js$/, ''],
  // Errors of databases that no service has.
  [/db-errors\/lib\/parsers\/index\.js$/, `exports.postgres = require('./postgres/DBError/parser');`],
  [/db-errors\/lib\/errorCodes\/index\.js$/, `exports.postgres = require('./postgres');`],
  // No service serves gRPC.
  [/@grpc\/grpc-js\/build\/src\/server(-credentials|-interceptors)?\.js$/, ''],
  // Nothing is seeded by knex.
  [/knex\/lib\/migrations\/seed\/Seeder\.js$/, 'module.exports = class Seeder {};'],
  // Messages of zod in thirty languages.
  [/zod\/v4\/locales\/index\.js$/, `export { default as en } from './en.js';`],
  // Of undici's hundred modules, those that send requests.
  [
    /undici\/index\.js$/,
    `import api from './lib/api/index.js';
    import Dispatcher from './lib/dispatcher/dispatcher.js';
    Object.assign(Dispatcher.prototype, api);
    export { default as Agent } from './lib/dispatcher/agent.js';
    export { default as Pool } from './lib/dispatcher/pool.js';`,
  ],
  // No model has a schema of its own: zod checks what comes in.
  [
    /objection\/lib\/model\/AjvValidator\.js$/,
    `const { Validator } = require('./Validator');
    exports.AjvValidator = class AjvValidator extends Validator {
      validate({ json }) { return json; }
    };`,
  ],
  // A server of tools asks its clients for nothing that it would have to check.
  [/@modelcontextprotocol\/sdk\/dist\/esm\/validation\/ajv-provider\.js$/, 'export class AjvJsonSchemaValidator {}'],
  // Limits are of this process: no limiter asks a server.
  [
    /rate-limiter-flexible\/index\.js$/,
    `exports.RateLimiterMemory = require('./lib/RateLimiterMemory');
    exports.RateLimiterRes = require('./lib/RateLimiterRes');`,
  ],
];

/** Where a package looks for a file beside its own, or loads all of another for a part. */
const elsewhere: [path: RegExp, from: string, to: string][] = [
  [
    /@temporalio\/worker\/lib\/workflow\/threaded-vm\.js$/,
    `require.resolve('./workflow-worker-thread')`,
    `require.resolve('./workflow-thread.cjs')`,
  ],
  [
    /@temporalio\/core-bridge\/common\.js$/,
    `path.resolve(__dirname, `,
    `path.resolve(require.resolve('@temporalio/core-bridge/package.json'), '..', `,
  ],
  // An error has metadata. Threads of workflows need nothing else of gRPC.
  [
    /@temporalio\/core-bridge\/lib\/errors\.js$/,
    `require("@grpc/grpc-js")`,
    `require("@grpc/grpc-js/build/src/metadata")`,
  ],
];

/** Media types that requests and responses may have, of two thousand and a half. */
const mediaTypes =
  /^(text|image|font)\/|^application\/(.*json|javascript|octet-stream|pdf|wasm|x-www-form-urlencoded|xml|zip)$/;

function reducedMediaTypes(path: string): string {
  const all = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>);
  return JSON.stringify(Object.fromEntries(all.filter(([type]) => mediaTypes.test(type))));
}

/** Optional packages that are not there, and those that only what we do not use would load. */
const absent = new RegExp(
  `^(${['pg-native', '@grpc/proto-loader', '@temporalio/core-bridge/package.json', '@scalar/fastify-api-reference'].join('|')})$`,
);

/** A map of one segment: without it, maps would be mostly of packages, and a process keeps its maps in memory. */
const noMap = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(
  JSON.stringify({ version: 3, sources: [''], mappings: 'AAAA' }),
).toString('base64')}`;

/** @throws Error if a release of the package no longer has what we replace. */
function contentsOf(path: string): string {
  const replaced = instead.find(([pattern]) => pattern.test(path));
  const contents = replaced ? replaced[1] : readFileSync(path, 'utf8').replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');
  const moved = elsewhere.find(([pattern]) => pattern.test(path));
  if (!moved) return contents;
  const [, from, to] = moved;
  if (!contents.includes(from)) throw new Error(`${path} has no ${from}: adapt scripts/build/packages.ts`);
  return contents.replace(from, to);
}

/** Compiles packages into services, without what no service uses. */
export const packages: Plugin = {
  name: 'packages',
  setup: ({ onLoad, onResolve, resolve }) => {
    onResolve({ filter: absent }, ({ path }) => ({ path, external: true }));
    // npm installs the SDK's copy of it three times.
    onResolve({ filter: /^protobufjs(\/|$)/ }, ({ path, kind, resolveDir, pluginData }) =>
      pluginData === 'once' || !resolveDir.includes('@temporalio')
        ? undefined
        : resolve(path, {
            kind,
            resolveDir: join(projectFolder, 'node_modules/@temporalio/proto'),
            pluginData: 'once',
          }),
    );
    onLoad({ filter: /\/mime-db\/db\.json$/ }, ({ path }) => ({ contents: reducedMediaTypes(path), loader: 'json' }));
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${contentsOf(path)}${noMap}`,
      loader: 'js',
    }));
  },
};
