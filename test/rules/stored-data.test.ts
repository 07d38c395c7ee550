import { expect } from 'chai';
import type { Knex } from 'knex';
import { frontendOperations } from '#domain/api/index.ts';
import { internalOperations } from '#domain/api/internal.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { toolOperations } from '#domain/api/tools.ts';
import { campaignBody, insertContacts } from '../support/services/backend.ts';
import { useBackend } from '../support/fixtures/services.ts';

/** Tables and columns of a schema, as PostgreSQL lists them. */
async function columnsOf(owner: Knex, schema: string): Promise<{ table: string; column: string }[]> {
  return await owner('information_schema.columns')
    .where({ table_schema: schema })
    .select({ table: 'table_name', column: 'column_name' });
}

describe('what is stored, and where', () => {
  const backend = useBackend();
  let owner: Knex;
  before(async () => {
    await backend.install('a');
    await insertContacts(backend.db, 'a', 2);
    owner = backend.database.connect('outreach', 'owner');
  });

  it('S0-R6: schema bff contains only protocol state', async () => {
    const tables = new Set((await columnsOf(owner, 'bff')).map(({ table }) => table));
    expect([...tables].toSorted()).to.deep.equal([
      'api_key',
      'embed_slot',
      'knex_migrations',
      'knex_migrations_lock',
      'logout_token',
      'nonce',
      // When the sweeps of the others last ran.
      'recurring_run',
      'secret_rotation',
      'session',
      'tenant_integration',
      'tenant_mapping',
      'webhook_refusal',
    ]);
  });

  it('S0-R7: the BFF’s database role cannot access anything of the backend', async () => {
    const bff = backend.database.connect('bff');
    for (const table of ['campaign', 'event_inbox', 'contact_profile', 'tenant_integration']) {
      const read = await bff.raw(`select 1 from outreach.${table}`).catch((error: { code?: string }) => error.code);
      expect(read, table).to.equal('42501');
    }
  });

  it('S0-R10: no route writes contacts or service numbers', async () => {
    const operations: AnyOperation[] = [
      ...Object.values(frontendOperations),
      ...Object.values(internalOperations),
      ...Object.values(toolOperations),
    ];
    const master = operations.filter(({ path }) => /^\/(contacts|service-numbers)(?![\w-])/.test(path));
    expect(master.length).to.be.greaterThan(3);
    const notRead = master.filter(({ method }) => method !== 'get').map(({ path }) => path);
    expect(notRead, 'but for taking one away').to.deep.equal(['/contacts/{snId}/{contactId}:erase']);

    const token = await backend.token('a', 'tenant_admin');
    const read = async () => [
      await backend.db('contact_profile').orderBy('contact_id'),
      await backend.db('service_number_catalog').orderBy('service_number_id'),
    ];
    const before = await read();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/contacts', '/contacts/sn-1/c-0000001', '/service-numbers', '/service-numbers/sn-1']) {
        const response = await backend.call(method, path, { token, body: { name: 'x', followState: 'unfollowed' } });
        expect(response.status, `${method} ${path}`).to.equal(404);
      }
    }
    expect(await read()).to.deep.equal(before);
  });

  it('S0-BT4: audience types tags and ai_query are rejected on input, and nothing of them is stored', async () => {
    const token = await backend.token('a');
    const tags = { type: 'tags', tagIds: ['t'], tagOperator: 'AND' };
    const aiQuery = { type: 'ai_query', query: 'everybody who likes tea' };
    const draft = (await backend.call('POST', '/campaigns', { token, body: campaignBody() })).body;
    const requests = (audience: object): [string, string, object][] => [
      ['POST', '/campaigns', campaignBody({ audience } as object)],
      ['PATCH', `/campaigns/${draft.id}`, { audience }],
      ['POST', '/audiences:preview', { serviceNumberId: 'sn-1', audience }],
      ['POST', '/audiences', { name: 'A', serviceNumberId: 'sn-1', ...audience }],
    ];
    for (const [audience, status] of [
      [tags, 400],
      [aiQuery, 422],
    ] as const) {
      for (const [method, path, body] of requests(audience)) {
        const response = await backend.call(method, path, { token, body, headers: { 'If-Match': '*' } });
        expect(response.status, `${method} ${path} ${audience.type}`).to.equal(status);
      }
    }
    expect(await backend.db('audience')).to.have.length(0);
    const stored: { audience: { type: string } }[] = await backend.db('campaign').select('audience');
    expect(stored.map(({ audience }) => audience.type)).to.deep.equal(['contacts']);
  });
});
