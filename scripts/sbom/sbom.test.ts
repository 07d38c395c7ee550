import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import { eventually } from '#test/support/time/eventually.ts';
import { projectFolder } from '../start/services.ts';
import { billOf } from './bill.ts';
import { nameOf, readLockfile } from './lockfile.ts';

/** What CycloneDX 1.6 requires of the parts that ours has; nothing else may be in them. */
const cycloneDx = z.strictObject({
  $schema: z.literal('http://cyclonedx.org/schema/bom-1.6.schema.json'),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  version: z.int().min(1),
  metadata: z.strictObject({
    timestamp: z.iso.datetime(),
    component: z.strictObject({
      type: z.literal('application'),
      'bom-ref': z.string().min(1),
      name: z.string().min(1),
      version: z.string().min(1),
    }),
  }),
  components: z.array(
    z.strictObject({
      type: z.literal('library'),
      'bom-ref': z.string().min(1),
      name: z.string().min(1),
      version: z.string().regex(/^\d+\.\d+\.\d+/),
      scope: z.enum(['required', 'optional', 'excluded']),
      purl: z.string().regex(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d[\w.+-]*$/),
      hashes: z
        .array(
          z.strictObject({
            alg: z.enum(['SHA-512', 'SHA-1']),
            content: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{128})$/),
          }),
        )
        .optional(),
      licenses: z
        .array(
          z.union([
            z.strictObject({ license: z.strictObject({ id: z.string().min(1) }) }),
            z.strictObject({ expression: z.string().min(1) }),
          ]),
        )
        .max(1)
        .optional(),
    }),
  ),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

describe('the bill of materials', () => {
  const lockfile = readLockfile();
  const bill = billOf(lockfile, 'test');
  const scopes = new Map(bill.components.map((component) => [component['bom-ref'], component.scope]));

  it('has the fields that CycloneDX requires, and refers to nothing that it does not have', () => {
    expect(cycloneDx.safeParse(bill).error?.issues ?? []).to.deep.equal([]);
    const refs = [bill.metadata.component['bom-ref'], ...scopes.keys()];
    expect(new Set(refs).size).to.equal(refs.length);
    expect(scopes.size).to.equal(bill.components.length);
    const named = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !refs.includes(ref))).to.deep.equal([]);
    expect(bill.dependencies.map(({ ref }) => ref)).to.have.members(refs);
  });

  it('names every package that a release is made of, those included that others name as peers', () => {
    const production = [...lockfile].filter(([path, { dev }]) => path !== '' && !dev);
    const refs = production.map(([path, found]) => `${nameOf(path, found)}@${found.version}`);
    expect(refs.length).to.be.above(250);
    expect(refs.filter((ref) => !['required', 'optional'].includes(scopes.get(ref) ?? ''))).to.deep.equal([]);
    for (const name of ['koa', '@temporalio/activity', '@grpc/grpc-js'])
      expect(
        refs.some((ref) => ref.startsWith(`${name}@`)),
        name,
      ).to.equal(true);
  });

  it('names what the console is built from, and what is of development alone as such', () => {
    const scopeOf = (name: string) => bill.components.find((component) => component.name === name)?.scope;
    for (const name of ['vue', 'vue-router', 'reka-ui', 'echarts', '@vue/runtime-core'])
      expect(scopeOf(name), name).to.equal('required');
    for (const name of ['mocha', 'playwright-core', 'oxlint']) expect(scopeOf(name), name).to.equal('excluded');
  });

  it('has the checksum and the licence of what is required', () => {
    const required = bill.components.filter(({ scope }) => scope === 'required');
    expect(required.filter(({ hashes }) => !hashes).map(({ name }) => name)).to.deep.equal([]);
    expect(required.filter(({ licenses }) => !licenses).map(({ name }) => name)).to.have.length.below(3);
  });
});

describe('package-lock.json', () => {
  it('has the checksum of every package, those for other platforms included', () => {
    const without = [...readLockfile()].filter(
      ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
    );
    expect(without.map(([path]) => path)).to.deep.equal([]);
  });
});

describe('npm run release', function () {
  this.timeout(60_000);
  const file = join(projectFolder, 'dist/sbom.cdx.json');

  it('begins by writing the bill of the release', async () => {
    rmSync(file, { force: true });
    // Nothing listens there: what comes after waits, and then fails.
    const env = { ...process.env, TEMPORAL_BUILD_ID: 'r-1', TEMPORAL_ADDRESS: '127.0.0.1:1' };
    const args = ['--import', 'tsx', join(projectFolder, 'scripts/release.ts')];
    const running = spawn(process.execPath, args, { cwd: projectFolder, env, stdio: 'ignore' });
    try {
      await eventually('the bill is there', () => Promise.resolve(existsSync(file)));
    } finally {
      running.kill();
    }
    const written = cycloneDx.parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(written.metadata.component.version).to.match(/\+r-1$/);
    expect(written.components).to.have.length(billOf(readLockfile(), 'r-1').components.length);
  });
});
