import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { connect } from '#db/connection.ts';
import { createEncryption } from '#db/encryption.ts';
import { withDatabase, withLock } from '#db/provision.ts';
import { parseSettings, roleUrl } from '#domain/settings/settings.ts';
import { ensureBuilt } from '#scripts/build/ensure.ts';
import { assemble } from '#scripts/image/assemble.mjs';
import { startChild } from '#scripts/start/child.ts';
import { freePort } from '#scripts/start/ports.ts';
import { heapFlags, memorySettings, projectFolder, serviceAddress, waitUntilServing } from '#scripts/start/services.ts';
import { readTasks, seedSend, seedTenant } from '../support/outreach/rows.ts';
import { productionSettings } from '../support/services/production-settings.ts';
import { sharedPostgres, sharedTemporal, temporaryFolder } from '../support/servers/servers.ts';

const run = promisify(execFile);
const services = ['bff', 'backend', 'orders'] as const;
const programs = [...services, 'migrate'] as const;
const flags = [...heapFlags, '--enable-source-maps'];

/** Of 300 MB, Node and the libraries that it needs take about 160. */
const ROOM_BYTES = 140_000_000;

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(folder, file)).isFile());

/** Addresses of roles for this test alone: those of other tests are the server's, too. */
function addressesOn(server: string, id: string) {
  const owner = withDatabase(server, `images_${id}`);
  const role = (name: string) => roleUrl(owner, `images_${name}_${id}`, `password-of-its-own-${name}`);
  return {
    DATABASE_URL: owner,
    DATABASE_URL_BFF: role('bff'),
    DATABASE_URL_BACKEND: role('backend'),
    DATABASE_URL_ORDERS: role('orders'),
  };
}

describe('an image', function () {
  this.timeout(600_000);
  const id = randomUUID().slice(0, 8);
  const images = temporaryFolder();
  let environment: Record<string, string>;

  before(async () => {
    const bundles = [
      'workflow-bundle',
      'sealed-workflow-bundle',
      'traced-workflow-bundle',
      'traced-sealed-workflow-bundle',
    ] as const;
    const targets = [...bundles, 'services', 'migrations', 'web'] as const;
    await ensureBuilt(targets, { logFile: join(temporaryFolder(), 'build.log') });
    const production = temporaryFolder();
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(projectFolder, file), join(production, file));
    const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', ['ci', ...options], { cwd: production, shell: process.platform === 'win32' });
    for (const program of programs) assemble(program, join(images, program), production);
    environment = {
      ...productionSettings,
      ...memorySettings,
      BACKEND_URL: 'http://127.0.0.1:1',
      ORDERS_URL: 'http://127.0.0.1:1',
      TEMPORAL_UI_URL: 'https://temporal.example',
      TEMPORAL_ADDRESS: await sharedTemporal(),
      TEMPORAL_NAMESPACE: `images-${id}`,
      ...addressesOn(await sharedPostgres(), id),
    };
  });
  after(async () => {
    const server = await sharedPostgres();
    await withLock(server, async (client) => {
      await client.query(`drop database if exists images_${id} with (force)`);
      for (const name of services) await client.query(`drop role if exists images_${name}_${id}`);
    });
  });

  for (const program of programs) {
    it(`of ${program} is small and has neither a compiler nor sources`, () => {
      const folder = join(images, program);
      const files = filesOf(folder);
      const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
      expect(bytes).to.be.below(ROOM_BYTES);
      expect(files.filter((file) => /\.ts$|(^|\/)(tsx|typescript|esbuild|@swc|webpack)\//.test(file))).to.deep.equal(
        [],
      );
    });
  }

  it('of migrate prepares the database and the namespace', async () => {
    const { stdout } = await run(process.execPath, [...flags, 'dist/services/migrate.mjs'], {
      cwd: join(images, 'migrate'),
      env: environment,
    });
    expect(stdout)
      .to.match(/^Migrated: bff\/0001.*orders\/0001/m)
      .and.match(/^Temporal: prepared namespace/m);
    const again = await run(process.execPath, [...flags, 'dist/services/migrate.mjs'], {
      cwd: join(images, 'migrate'),
      env: environment,
    });
    expect(again.stdout).to.match(/^Nothing to migrate\.$/m);
  });

  it('of migrate has what staff run beside the services: after a restore, for a new key, for the audit log', async () => {
    const { DATABASE_URL_BACKEND: url = '' } = environment;
    const staff = async (...args: string[]) =>
      (await run(process.execPath, [...flags, ...args], { cwd: join(images, 'migrate'), env: environment })).stdout;
    const database = connect({ url, schema: 'outreach', applicationName: 'test-images' });
    try {
      const { tenantId } = await seedTenant(
        database,
        createEncryption(parseSettings(environment, ['ENCRYPTION_KEYS']).ENCRYPTION_KEYS),
      );
      const send = await seedSend(database, tenantId, { chunks: [3] });
      expect(await staff('dist/services/restored.mjs')).to.include(
        `To be compared with the platform:\n  ${tenantId}: ${send.campaignId} (Spring): 1 sub-tasks with 3 contacts are unknown`,
      );
      expect((await readTasks(database, send)).map(({ status }) => status)).to.deep.equal(['unknown']);
    } finally {
      await database.destroy();
    }
    expect(await staff('dist/services/reencrypt.mjs')).to.match(
      /^outreach\.tenant_integration\.secret_encrypted: 0 re-encrypted, 0 left[^]*Every value is encrypted with the first key\.$/m,
    );
    expect(await staff('dist/services/audit.mjs', '--verify')).to.match(/^outreach:[^]*^orders:/m);
  });

  for (const service of services) {
    it(`of ${service} starts with production settings, and its health check says so`, async () => {
      const name = service.toUpperCase();
      const { DATABASE_URL: _, ...own } = environment;
      const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
      const env = { ...own, [`${name}_PORT`]: String(port), [`METRICS_PORT_${name}`]: String(metricsPort) };
      const cwd = join(images, service);
      const began = performance.now();
      const child = await startChild({
        name: service,
        command: process.execPath,
        args: [...flags, `dist/services/${service}.mjs`],
        cwd,
        env,
        logFile: join(temporaryFolder(), `${service}.log`),
      });
      const check = ['scripts/image/healthy.mjs', `${name}_PORT`, '1'];
      try {
        const address = serviceAddress(service, parseSettings(env, []));
        await waitUntilServing(child, service, address);
        process.stdout.write(`      ready after ${((performance.now() - began) / 1000).toFixed(2)} s\n`);
        await run(process.execPath, check, { cwd, env });
        if (service !== 'backend') expect((await fetch(`${address}/docs`)).status).to.equal(200);
        if (service === 'bff') expect(await (await fetch(`${address}/app`)).text()).to.include('<script');
      } finally {
        await child.stop();
      }
      const failure = await run(process.execPath, check, { cwd, env }).catch((error: { code: number }) => error);
      expect(failure).to.have.property('code', 1);
    });
  }
});
