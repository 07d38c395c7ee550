import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { schemas } from '#db/connection.ts';
import { migrationsFolder } from '#db/migrate.ts';
import { temporaryFolder } from '#test/support/servers/servers.ts';
import { builtServices, heapFlags, projectFolder } from '../start/services.ts';
import { ensureBuilt } from './ensure.ts';

const folder = join(projectFolder, builtServices);
const ofProtocol = createRequire(createRequire(import.meta.url).resolve('@temporalio/proto'));
const { Root } = ofProtocol('protobufjs/light') as {
  Root: new () => { addJSON(parts: unknown): { resolveAll(): unknown; lookup(path: string): object | null } };
};
const names = ['bff', 'backend', 'orders'] as const;

/** The file and those that it imports, however indirectly. */
function filesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const code = readFileSync(join(folder, file), 'utf8');
  for (const [, name] of code.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.mjs)"/g)) if (name) filesOf(name, found);
  return found;
}

const bytesOf = (files: Set<string>) =>
  [...files].reduce((sum, file) => sum + readFileSync(join(folder, file)).length, 0);

const sourcesOf = (file: string) =>
  (JSON.parse(readFileSync(join(folder, `${file}.map`), 'utf8')) as { sources: string[] }).sources;

/** Parts of packages that took megabytes in every process, for nothing. */
const useless = [
  /\/(webpack|memfs|unionfs|@swc|swc-loader|typescript|tsx|esbuild)\//,
  /\/undici\/lib\/(mock|web\/websocket|web\/eventsource|web\/fetch\/index)/,
  /\/zod\/v4\/locales\/(?!(en|index)\.js)/,
  /\/knex\/lib\/dialects\/(mssql|mysql|oracle|sqlite3)\/(schema|query)\//,
  /\/@temporalio\/testing\//,
  /\/@grpc\/grpc-js\/build\/src\/server-call/,
  /\/db-errors\/lib\/(parsers|errorCodes)\/(mssql|mysql|sqlite)/,
  /\/node_modules\/(ajv|ajv-formats)\//,
  /\/rate-limiter-flexible\/lib\/RateLimiter(SQLite|MySQL|Dynamo|Mongo)/,
];

describe('the compiled migrations', () => {
  before(() => ensureBuilt(['migrations'], { logFile: join(temporaryFolder(), 'build.log') }));

  it('are those of the sources, SQL as it is', () => {
    for (const schema of schemas) {
      const built = join(projectFolder, 'dist/migrations', schema);
      const files = readdirSync(join(migrationsFolder, schema));
      expect(files.length).to.be.at.least(2);
      const expected = files.map((file) => file.replace(/\.ts$/, '.mjs'));
      expect(readdirSync(built).filter((file) => !file.endsWith('.map'))).to.have.members(expected);
      for (const file of files.filter((one) => one.endsWith('.sql')))
        expect(readFileSync(join(built, file), 'utf8')).to.equal(
          readFileSync(join(migrationsFolder, schema, file), 'utf8'),
        );
    }
  });
});

describe('a compiled service', () => {
  before(() => ensureBuilt(['services'], { logFile: join(temporaryFolder(), 'build.log') }));

  for (const name of names) {
    it(`${name} has what it uses of its packages, in a few megabytes`, () => {
      const files = filesOf(`${name}.mjs`);
      const sources = [...files].flatMap(sourcesOf);
      expect(sources.some((path) => path.endsWith(`api/${name}/main.ts`))).to.equal(true);
      expect(sources.filter((path) => useless.some((pattern) => pattern.test(path)))).to.deep.equal([]);
      expect(bytesOf(files)).to.be.below(5_000_000);
    });
  }

  it('brings one copy of what its thread for workflows needs', () => {
    const sources = sourcesOf('workflow-thread.cjs');
    expect(sources.filter((path) => path.endsWith('protobufjs/src/root.js'))).to.have.length(1);
    expect(readFileSync(join(folder, 'workflow-thread.cjs')).length).to.be.below(400_000);
    expect(sources.filter((path) => path.includes('/@grpc/grpc-js/build/src/server'))).to.deep.equal([]);
  });

  it('knows of Temporal’s protocol what it may send, complete: each field is several objects in each thread', () => {
    const counts = ['protocol.json', 'protocol-of-workflows.json'].map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      // Throws for a message of which some part is missing.
      new Root().addJSON(JSON.parse(text)).resolveAll();
      return text.split('"id":').length - 1;
    });
    expect(counts[0]).to.be.within(2500, 3200);
    expect(counts[1]).to.be.within(200, 500);
  });

  it('has every part of the protocol that the SDK names', () => {
    const missingFrom = (scripts: string[], file: string): string[] => {
      const root = new Root().addJSON(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      const code = scripts.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
      const named = code.matchAll(/\bproto(?:_\d+)?\.((?:temporal|coresdk|google|grpc)\.[a-z_0-9.]*[A-Z]\w*)/g);
      return [...new Set([...named].map(([, name]) => name ?? ''))].filter((name) => !root.lookup(name));
    };
    const chunks = [...new Set(names.flatMap((name) => [...filesOf(`${name}.mjs`)]))];
    expect(missingFrom(chunks, 'protocol.json')).to.deep.equal([]);
    expect(missingFrom(['workflow-thread.cjs'], 'protocol-of-workflows.json')).to.deep.equal([]);
  });

  it('has no map of its packages, and no character that makes V8 take two bytes for each', () => {
    for (const file of readdirSync(folder)) {
      if (file.endsWith('.map')) expect(readFileSync(join(folder, file)).length, file).to.be.below(600_000);
      else if (!file.endsWith('.wasm')) expect(Math.max(...new Set(readFileSync(join(folder, file))))).to.be.below(128);
    }
  });

  it('is started by npm as by npm start, without a compiler', () => {
    const { scripts, dependencies } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
      dependencies: Record<string, string>;
    };
    for (const name of names) {
      expect(scripts[`start:${name}`]).to.include(`${heapFlags.join(' ')} --enable-source-maps`);
      expect(scripts[`start:${name}`]).to.include(`${builtServices}/${name}.mjs`).and.not.include('tsx');
    }
    expect(Object.keys(dependencies)).to.not.include.members(['tsx', 'esbuild', 'typescript']);
  });
});
