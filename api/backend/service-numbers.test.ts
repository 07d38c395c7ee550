import { expect } from 'chai';
import { z } from 'zod';
import { aiOperations } from '#domain/api/ai.ts';
import { backendOperations } from '#domain/api/index.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { toolNames, toolOperations } from '#domain/api/tools.ts';
import { type ApiResponse, campaignBody, contactId, insertContacts } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

const namesOne = ({ body }: AnyOperation): boolean =>
  body !== undefined &&
  JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).includes('"serviceNumberId":');

describe('service numbers in bodies', () => {
  const backend = useTwoTenants({ contacts: 2, toolApiEnabled: true, aiConfigured: true });
  const operations: Record<string, AnyOperation> = { ...backendOperations, ...aiOperations, ...toolOperations };
  const audience = { type: 'contacts', contactIds: [contactId(1)] };
  const saved = { name: 'A list', type: 'contacts', contactIds: [contactId(1)] };
  const refusal = ({ status, body }: ApiResponse) => [
    status,
    body.code,
    body.errors?.[0]?.path.replace(/^\/testContacts\/0/, ''),
  ];
  const refused = [422, 'invalid_content', '/serviceNumberId'];
  const template = {
    name: 'Kept',
    kind: 'campaign',
    content: { campaignName: null, note: null, messages: [{ type: 'text', text: 'Hello' }] },
  };
  let tools: string;

  /** Makes something new, and so takes active service numbers only; or only reads, and takes any of the tenant. */
  const samples: Record<string, { makes: boolean; call: (serviceNumberId: string) => Promise<ApiResponse> }> = {
    createCampaign: { makes: true, call: (id) => post('/campaigns', campaignBody({ serviceNumberId: id })) },
    updateCampaign: {
      makes: true,
      call: async (id) => {
        const path = `/campaigns/${await backend.draft()}`;
        return await backend.call('PATCH', path, { body: { serviceNumberId: id }, headers: { 'If-Match': '*' } });
      },
    },
    createAutomation: {
      makes: true,
      call: (id) =>
        post('/automations', {
          name: 'Welcome',
          serviceNumberId: id,
          trigger: { event: 'contact.followed' },
          steps: [{ messages: campaignBody().messages }],
        }),
    },
    createAudience: { makes: true, call: (id) => post('/audiences', { ...saved, serviceNumberId: id }) },
    updateAudience: {
      makes: true,
      call: async (id) => {
        const { body } = await post('/audiences', { ...saved, serviceNumberId: 'sn-1' });
        return await backend.call('PATCH', `/audiences/${body.audienceId}`, { body: { serviceNumberId: id } });
      },
    },
    previewAudience: { makes: false, call: (id) => post('/audiences:preview', { serviceNumberId: id, audience }) },
    explainAudience: {
      makes: false,
      call: (id) => post('/audiences:explain', { serviceNumberId: id, audience, contactId: 'c' }),
    },
    createTag: {
      makes: true,
      call: (id) => post('/tags', { name: `T ${id}`, kind: 'permanent', serviceNumberId: id }),
    },
    createTemplate: { makes: true, call: (id) => post('/templates', { ...template, serviceNumberId: id }) },
    useTemplate: {
      makes: true,
      call: async (id) => {
        const { body, status } = await post('/templates', { ...template, name: `Kept for ${id}` });
        expect(status, JSON.stringify(body)).to.equal(201);
        return await post(`/templates/${body.templateId}:use`, { serviceNumberId: id });
      },
    },
    updateTenantSettings: {
      makes: false,
      call: async (id) => {
        const testContacts = [{ serviceNumberId: id, contactId: contactId(1) }];
        const token = await backend.token('a', 'tenant_admin');
        return await backend.call('PATCH', '/tenant-settings', { token, body: { testContacts } });
      },
    },
    writeCopy: { makes: true, call: (id) => post('/ai/copywriting', { brief: 'Spring', serviceNumberId: id }) },
    draft_campaign: { makes: true, call: (id) => tool('draft_campaign', campaignBody({ serviceNumberId: id })) },
    resolve_audience: { makes: false, call: (id) => tool('resolve_audience', { serviceNumberId: id, audience }) },
    list_tags: { makes: false, call: (id) => tool('list_tags', { serviceNumberId: id }) },
    query_metrics: { makes: false, call: (id) => tool('query_metrics', { serviceNumberId: id }) },
  };

  const post = (path: string, body: object) => backend.call('POST', path, { body });
  async function tool(name: string, body: object): Promise<ApiResponse> {
    const response = await fetch(`${backend.base}/tools/v1/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${tools}` },
      body: JSON.stringify(body),
    });
    const { status, headers } = response;
    return { status, headers, body: (await response.json()) as ApiResponse['body'] };
  }
  const stored = async () => [
    ...(await backend.db('campaign').whereNot('service_number_id', 'sn-1')),
    ...(await backend.db('audience').whereNot('service_number_id', 'sn-1')),
    ...(await backend.db('tag').whereNot('service_number_id', 'sn-1')),
    ...(await backend.db('template').whereNotNull('service_number_id')),
    ...(await backend.db('copywriting')),
  ];

  before(async () => {
    const asked = { platformTenantId: 'a', tools: toolNames, actor: { type: 'service', name: 'crm' } };
    tools = (await backend.service('POST', '/service-tokens', asked)).body.token;
    await backend.db('service_number_catalog').insert([
      { tenant_id: 'a', service_number_id: 'sn-closed', name: 'Closed', status: 'inactive' },
      { tenant_id: 'b', service_number_id: 'sn-of-b', name: 'Of the other tenant', status: 'active' },
    ]);
    await insertContacts(backend.db, 'a', 1, 'sn-closed');
  });

  it('A8: has a sample of each operation whose body names one', () => {
    const naming = Object.entries(operations).flatMap(([name, described]) => (namesOne(described) ? [name] : []));
    expect(naming.toSorted()).to.deep.equal(Object.keys(samples).toSorted());
  });

  for (const [name, { makes, call }] of Object.entries(samples)) {
    it(`A8: ${name} rejects one that the tenant does not have${makes ? ', or that is inactive' : ''}`, async () => {
      for (const foreign of ['sn-of-nobody', 'sn-of-b']) expect(refusal(await call(foreign))).to.deep.equal(refused);
      const inactive = await call('sn-closed');
      if (makes) expect(refusal(inactive)).to.deep.equal(refused);
      else expect(inactive.status, JSON.stringify(inactive.body)).to.equal(200);
      expect(await stored()).to.deep.equal([]);
    });
  }

  it('A8: a draft whose service number has become inactive is neither sent, tested nor copied', async () => {
    const id = await backend.draft({ serviceNumberId: 'sn-2', audience: { type: 'contacts', contactIds: ['c'] } });
    await backend.db('contact_profile').insert({
      tenant_id: 'a',
      service_number_id: 'sn-2',
      contact_id: 'c',
      follow_state: 'following',
      last_event_at: new Date(),
    });
    const setStatus = (status: string) =>
      backend.db('service_number_catalog').where({ tenant_id: 'a', service_number_id: 'sn-2' }).update({ status });
    await setStatus('inactive');
    expect(refusal(await backend.act(id, 'send'))).to.deep.equal(refused);
    expect(refusal(await backend.act(id, 'duplicate'))).to.deep.equal(refused);
    expect(refusal(await backend.act(id, 'test-send', { body: { contactIds: ['c'] } }))).to.deep.equal(refused);
    expect(backend.flows.tests).to.deep.equal([]);
    expect(await backend.db('campaign').where({ service_number_id: 'sn-2' })).to.have.length(1);
    await setStatus('active');
    expect((await backend.act(id, 'send')).status).to.equal(202);
  });
});
