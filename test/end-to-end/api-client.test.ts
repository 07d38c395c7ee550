import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type * as Package from '#clients/outreach-api/client.ts';
import type { ShownApiKey } from '#domain/api/api-keys.ts';
import type { KeyScope } from '#domain/keys/scopes.ts';
import { keyOperations, schemaFile, typesOfKeyOperations } from '#scripts/api-client/schema.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { useSharedStack } from '../support/fixtures/stack.ts';
import { freshTenantId } from '../support/services/shared-stack.ts';
import { installTenant } from '../support/services/tenant.ts';

const run = promisify(execFile);
const folder = join(projectFolder, 'clients/outreach-api');
const versionIn = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;

describe('the package for programs', function () {
  this.timeout(240_000);
  const stack = useSharedStack();
  let built: string;
  let createOutreachClient: typeof Package.createOutreachClient;
  let keyWith: (scopes: KeyScope[]) => Promise<string>;

  before(async () => {
    built = mkdtempSync(join(tmpdir(), 'outreach-api-'));
    cpSync(folder, built, { recursive: true });
    symlinkSync(join(projectFolder, 'node_modules'), join(built, 'node_modules'));
    // As `npm pack` does.
    await run(process.execPath, [join(projectFolder, 'node_modules/typescript/bin/tsc'), '-p', built]);
    const entry = pathToFileURL(join(built, 'dist/client.js')).href;
    ({ createOutreachClient } = (await import(entry)) as typeof Package);
    const { api } = await installTenant(stack, { tenantId: freshTenantId(), serviceNumberId: 'sn-api', contacts: 3 });
    keyWith = async (scopes) => (await api.post<ShownApiKey>('/api-keys', { name: scopes.join(), scopes })).key;
  });
  after(() => rmSync(built, { recursive: true, force: true }));

  const client = (key: string) => createOutreachClient({ baseUrl: stack.addresses.bff, key });

  it('has the types of today’s operations, all that a key may use and no others', async () => {
    const made = await typesOfKeyOperations();
    expect(made === readFileSync(schemaFile, 'utf8'), 'stale: run `npm run api-client`').to.equal(true);
    expect(Object.keys(keyOperations)).to.include.members(['listCampaigns', 'sendCampaign', 'tagContacts']);
    expect(Object.keys(keyOperations)).not.to.include.members(['createApiKey', 'listUsers', 'approveSend']);
    expect(versionIn(join(folder, 'package.json'))).to.equal(versionIn(join(projectFolder, 'package.json')));
  });

  it('reads, writes and pages with an API key against started services', async () => {
    const outreach = client(await keyWith(['tags:write', 'contacts:read']));
    const { data: contacts } = await outreach.GET('/api/v1/contacts', {
      params: { query: { serviceNumberId: 'sn-api', limit: 2 } },
    });
    expect(contacts?.items).to.have.length(2);
    const { data: rest } = await outreach.GET('/api/v1/contacts', {
      params: { query: { serviceNumberId: 'sn-api', limit: 2, cursor: contacts?.nextCursor ?? '' } },
    });
    expect([rest?.items.length, rest?.nextCursor]).to.deep.equal([1, null]);
    const made = await outreach.POST('/api/v1/tags', {
      body: { name: 'From a till', serviceNumberId: 'sn-api', kind: 'permanent' },
    });
    const tag: Package.Schema<'Tag'> | undefined = made.data;
    expect([made.response.status, tag?.name]).to.deep.equal([201, 'From a till']);
    const found = await outreach.GET('/api/v1/tags', { params: { query: { serviceNumberId: 'sn-api' } } });
    expect(found.data?.items.map(({ tagId }) => tagId)).to.deep.equal([tag?.tagId]);
  });

  it('says what was refused, and sends nothing without a key', async () => {
    const reading = client(await keyWith(['campaigns:read']));
    const { data, error, response } = await reading.GET('/api/v1/tags', {
      params: { query: { serviceNumberId: 'sn-api' } },
    });
    expect([data, response.status, error?.code]).to.deep.equal([undefined, 403, 'forbidden']);
    expect(error?.detail).to.contain('tags:read');
    expect(() => client('Bearer of nothing')).to.throw(TypeError, 'not an API key');
  });
});
