import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Schema } from '#db/connection.ts';
import { type Database, rows } from '#db/database.ts';
import { createEncryption, type Encryption } from '#db/encryption.ts';
import { sealedColumns } from '#db/sealed-columns.ts';
import type { RingKey } from '#domain/keys/key-ring.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { columnsNamedSealed, columnsWithSealedTexts } from '../support/servers/sealed-values.ts';
import { signedCall } from '../support/services/bff.ts';
import { storeEverySecret, storeSession } from '../support/services/every-secret.ts';
import { installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';

const keyNamed = (id: string): RingKey => ({ id, key: randomBytes(32).toString('base64') });
const [old, recent] = [keyNamed('2025'), keyNamed('2026')];
const ringText = (...keys: RingKey[]): string => keys.map(({ id, key }) => `${id}:${key}`).join(',');

const nameOf = (one: { schema: string; table: string; column: string }) => `${one.schema}.${one.table}.${one.column}`;
const tenantId = 'rotating';
const SESSIONS = 1200;

describe('A new encryption key', function () {
  this.timeout(240_000);
  // The services know both keys all the time, and go on sealing with the old one.
  const stack = useStack({ env: { ENCRYPTION_KEYS: ringText(old, recent) } });
  let tenant: TestTenant;
  let owner: Record<Schema, Database>;
  const sealing = createEncryption([old, recent]);

  async function fillEveryColumn(): Promise<void> {
    await storeEverySecret(stack, owner, sealing, tenant);
    // From before keys had ids, and more than are read at once.
    const unnamed = createEncryption([{ ...old, id: null }]);
    for (let stored = 0; stored < SESSIONS; stored += 1)
      await storeSession(owner.bff, stored % 2 === 0 ? unnamed : sealing, tenantId);
  }

  before(async () => {
    const connect = (schema: Schema) => stack.database.connect(schema, 'owner');
    owner = { bff: connect('bff'), outreach: connect('outreach'), orders: connect('orders') };
    tenant = await installTenant(stack, { tenantId, serviceNumberId: 'sn-keys', contacts: 1 });
    await fillEveryColumn();
  });

  async function run(keys: string): Promise<{ code: number; output: string }> {
    const { DATABASE_URL_BFF, DATABASE_URL_BACKEND, DATABASE_URL_ORDERS } = stack.database;
    const addresses = { DATABASE_URL_BFF, DATABASE_URL_BACKEND, DATABASE_URL_ORDERS };
    const env = { ...process.env, ...addresses, NODE_ENV: 'test', ENCRYPTION_KEYS: keys, ENCRYPTION_KEY: '' };
    const args = ['--import', 'tsx', 'scripts/reencrypt/main.ts'];
    return promisify(execFile)(process.execPath, args, { cwd: projectFolder, env }).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: `${error.stdout}${error.stderr}`,
      }),
    );
  }

  /** How many of all stored texts this ring opens, by column. */
  async function opened(encryption: Encryption): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const one of sealedColumns) {
      const { schema, table, column, key, contextOf } = one;
      const stored = await rows<{ key: string | Buffer; sealed: string }>(
        owner[schema],
        'select :key: as key, :column: as sealed from :table: where :column: is not null',
        { table, column, key },
      );
      for (const row of stored) expect(encryption.decrypt(row.sealed, contextOf(row.key))).to.not.equal('');
      counts[nameOf(one)] = stored.length;
    }
    return counts;
  }

  const webhook = async () => {
    const body = {
      eventId: randomBytes(8).toString('hex'),
      eventType: 'contact.updated',
      occurredAt: new Date().toISOString(),
      scope: { serviceNumberId: 'sn-keys' },
      data: { contactId: tenant.contactIds[0], serviceNumberId: 'sn-keys' },
    };
    return (await signedCall({ url: stack.addresses.bff }, '/webhook', await signerOf(tenant), body)).status;
  };

  it('is tried on every column that has sealed texts, and none is forgotten', async () => {
    const known = sealedColumns.map(nameOf).toSorted();
    expect(await columnsWithSealedTexts(owner.bff)).to.deep.equal(known);
    expect(await columnsNamedSealed(owner.bff)).to.deep.equal(known);
  });

  it('says how many values a missing key leaves, and changes none of those', async () => {
    const before = await opened(sealing);
    const { code, output } = await run(ringText(recent));
    expect(code).to.equal(1);
    expect(output).to.contain(`bff.session.platform_token_encrypted: 0 re-encrypted, ${SESSIONS} left`);
    expect(await opened(sealing)).to.deep.equal(before);
  });

  it('seals every stored value while the services run; then the old key can be removed', async () => {
    const before = await opened(sealing);
    expect(Object.values(before).every((count) => count > 0)).to.equal(true);
    const running = run(ringText(recent, old));
    let calls = 0;
    const ended = running.then(() => true);
    do {
      expect(await webhook()).to.equal(200);
      calls += 1;
    } while (!(await Promise.race([ended, Promise.resolve(false)])));
    const { code, output } = await running;
    expect(output).to.contain(`bff.session.refresh_token_encrypted: ${SESSIONS} re-encrypted, 0 left`);
    expect(output).to.contain('Every value is encrypted with the first key.').and.not.contain(recent.key);
    expect(code).to.equal(0);
    expect(calls).to.be.greaterThan(0);
    expect(await opened(createEncryption([recent]))).to.deep.equal(before);
    expect(await webhook()).to.equal(200);
  });

  it('finds in another run what a service has sealed with the old key meanwhile, and nothing else', async () => {
    await storeSession(owner.bff, sealing, tenantId);
    const { code, output } = await run(ringText(recent, old));
    expect(output).to.contain('bff.session.refresh_token_encrypted: 1 re-encrypted, 0 left');
    expect(output).to.contain('outreach.erasure_key.secret_encrypted: 0 re-encrypted, 0 left');
    expect(code).to.equal(0);
  });
});
