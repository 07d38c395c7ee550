import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { contactId } from '#test/support/services/backend.ts';

interface Kind {
  list: string | null;
  /** The path of one that was just made. */
  make(name: string): Promise<string>;
  method: 'PATCH' | 'PUT';
  change(name: string): object;
  /** Whether it can be deleted. */
  goes: boolean;
}

describe('the entity tags of objects', () => {
  const backend = useTwoTenants({ contacts: 5 });
  let token = '';
  before(async () => (token = await backend.token('a', 'tenant_admin', 'ada')));

  const call: typeof backend.call = (method, path, options) => backend.call(method, path, { token, ...options });
  const of = { serviceNumberId: 'sn-1' };
  async function made(path: string, body: object): Promise<Record<string, string>> {
    const response = await call('POST', path, { body });
    expect(response.status, JSON.stringify(response.body)).to.equal(201);
    expect(response.headers.get('etag')).to.equal(response.body.etag);
    expect(response.body.etag).to.match(/^"\d+"$/);
    return response.body;
  }
  const tagBody = (name: string) => ({ ...of, name, kind: 'permanent' });
  const names = new Map<string, number>();
  const unique = (name: string) => {
    names.set(name, (names.get(name) ?? 0) + 1);
    return `${name} ${names.get(name)}`;
  };
  async function rule(name: string): Promise<Record<string, string>> {
    const { tagId } = await made('/tags', tagBody(unique(`for ${name}`)));
    const matchCondition = { any: [{ field: 'bizEventCode', op: 'eq', value: 'x' }] };
    return await made('/smart-tag-rules', {
      name,
      triggerEvent: 'notice.clicked',
      matchCondition,
      targetTagId: tagId,
    });
  }
  const content = { campaignName: null, note: null, messages: [{ type: 'text', text: 'Hello' }] };
  const calendar = { calendar: { type: 'daily', at: '09:00' }, zone: 'UTC' };

  const kinds: Record<string, Kind> = {
    campaign: {
      list: '/campaigns',
      make: async (name) => `/campaigns/${await backend.draft({ name })}`,
      method: 'PATCH',
      change: (name) => ({ name }),
      goes: true,
    },
    tag: {
      list: '/tags',
      make: async (name) => `/tags/${(await made('/tags', tagBody(unique(name))))['tagId']}`,
      method: 'PATCH',
      change: (name) => ({ name: unique(name) }),
      goes: true,
    },
    audience: {
      list: '/audiences',
      make: async (name) => {
        const body = { ...of, name, type: 'contacts', contactIds: [contactId(1)] };
        return `/audiences/${(await made('/audiences', body))['audienceId']}`;
      },
      method: 'PATCH',
      change: (name) => ({ name }),
      goes: true,
    },
    rule: {
      list: '/smart-tag-rules',
      make: async (name) => `/smart-tag-rules/${(await rule(name))['ruleId']}`,
      method: 'PATCH',
      change: (name) => ({ name }),
      goes: true,
    },
    repeat: {
      list: '/repeats',
      make: async (name) => {
        const campaignId = await backend.draft();
        return `/repeats/${(await made('/repeats', { name, campaignId, ...calendar }))['repeatId']}`;
      },
      method: 'PATCH',
      change: (name) => ({ name }),
      goes: false,
    },
    automation: {
      list: '/automations',
      make: async (name) => {
        const steps = [{ messages: [{ type: 'text', text: 'Hello' }] }];
        const body = { ...of, name, trigger: { event: 'contact.followed' }, steps };
        return `/automations/${(await made('/automations', body))['automationId']}`;
      },
      method: 'PATCH',
      change: (name) => ({ name }),
      goes: true,
    },
    template: {
      list: '/templates',
      make: async (name) => {
        const { templateId } = await made('/templates', { name: unique(name), kind: 'message', content });
        return `/templates/${templateId}`;
      },
      method: 'PATCH',
      change: (name) => ({ name: unique(name) }),
      goes: true,
    },
    'tenant settings': {
      list: null,
      make: async () => '/tenant-settings',
      method: 'PATCH',
      change: (name) => ({ utm: { source: name } }),
      goes: false,
    },
    endpoint: {
      list: '/webhook-endpoints',
      make: async (name) => {
        const body = { url: `https://example.com/${encodeURIComponent(name)}`, eventTypes: ['campaign.sent'] };
        await backend.db('webhook').where({ tenant_id: 'a' }).delete();
        return `/webhook-endpoints/${(await made('/webhook-endpoints', body))['endpointId']}`;
      },
      method: 'PATCH',
      change: (name) => ({ url: `https://example.com/${encodeURIComponent(name)}` }),
      goes: true,
    },
    webhook: {
      list: null,
      make: async (name) => {
        const body = { url: `https://example.com/${encodeURIComponent(name)}`, eventTypes: ['campaign.sent'] };
        expect((await call('PUT', '/webhook', { body })).status).to.equal(200);
        return '/webhook';
      },
      method: 'PUT',
      change: (name) => ({ url: `https://example.com/${encodeURIComponent(name)}`, eventTypes: ['campaign.sent'] }),
      goes: true,
    },
  };
  const tagOf = async (path: string) => String((await call('GET', path)).headers.get('etag'));
  const all: string[] = [];

  for (const [kind, { list, make, method, change, goes }] of Object.entries(kinds)) {
    const send = (path: string, name: string, etag: string) =>
      call(method, path, { body: change(name), headers: { 'If-Match': etag } });

    it(`${kind}: changes what the caller has read, and nothing else`, async () => {
      const path = await make('first');
      const { body, headers } = await call('GET', path);
      const read = String(headers.get('etag'));
      const shown = kind === 'webhook' ? body.webhook : body;
      expect(shown.etag).to.equal(read);
      if (list !== null) {
        const { items } = (await call('GET', `${list}?limit=200&serviceNumberId=sn-1`)).body;
        expect(items.map(({ etag }: { etag: string }) => etag)).to.include(read);
      }
      const changed = await send(path, 'second', read);
      expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
      const now = String(changed.headers.get('etag'));
      expect([changed.body.etag, await tagOf(path)]).to.deep.equal([now, now]);
      expect(now).to.not.equal(read);

      const before = (await call('GET', path)).body;
      const stale = await send(path, 'third', read);
      expect([stale.status, stale.body.code]).to.deep.equal([412, 'stale']);
      expect((await call('GET', path)).body).to.deep.equal(before);
      expect((await send(path, 'fourth', `"x", W/${now}`)).status).to.equal(200);
      expect((await send(path, 'fifth', '*')).status).to.equal(200);
      const nonsense = await send(path, 'sixth', 'nonsense');
      expect([nonsense.status, nonsense.body.errors[0].path]).to.deep.equal([400, 'header/if-match']);
      all.push(read, now, await tagOf(path));
    });

    it(`${kind}: one of two parallel changes of one reading`, async () => {
      const path = await make('raced');
      const read = await tagOf(path);
      const answers = await Promise.all(['left', 'right'].map((name) => send(path, name, read)));
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 412]);
    });

    if (goes)
      it(`${kind}: is deleted as it was read`, async () => {
        const path = await make('going');
        const read = await tagOf(path);
        expect((await send(path, 'moved', read)).status).to.equal(200);
        const stale = await call('DELETE', path, { headers: { 'If-Match': read } });
        expect([stale.status, stale.body.code]).to.deep.equal([412, 'stale']);
        const gone = await call('DELETE', path, { headers: { 'If-Match': await tagOf(path) } });
        expect(gone.status).to.equal(204);
      });
  }

  it('are never equal for two objects, or for two states of one', () => {
    expect(new Set(all).size).to.equal(all.length);
  });

  it('change with what people do, and not with what is counted', async () => {
    const tagId = (await made('/tags', tagBody('counted')))['tagId'];
    const tag = await tagOf(`/tags/${tagId}`);
    expect(
      (await call('POST', `/tags/${tagId}/assignments`, { body: { contactIds: [contactId(1)] } })).status,
    ).to.equal(201);
    expect(await tagOf(`/tags/${tagId}`)).to.equal(tag);

    const { ruleId } = await rule('hit');
    const path = `/smart-tag-rules/${ruleId}`;
    const before = await tagOf(path);
    await backend
      .db('smart_tag_rule')
      .where({ rule_id: ruleId })
      .update({ hit_count: 7, last_executed_at: new Date() });
    expect(await tagOf(path)).to.equal(before);
    expect((await call('PATCH', path, { body: { status: 'paused' } })).status).to.equal(200);
    expect(await tagOf(path)).to.not.equal(before);

    const audience = await kinds['audience']?.make('replaced');
    const read = await tagOf(String(audience));
    const csv = { raw: contactId(2), contentType: 'text/csv' };
    expect((await call('PUT', `${audience}/contacts`, { ...csv, headers: { 'If-Match': read } })).status).to.equal(200);
    expect((await call('PUT', `${audience}/contacts`, { ...csv, headers: { 'If-Match': read } })).status).to.equal(412);
    expect(await tagOf(String(audience))).to.not.equal(read);

    const id = await backend.draft({
      schedule: { type: 'scheduled', at: new Date(Date.now() + 3_600_000).toISOString() },
    });
    const states = [await tagOf(`/campaigns/${id}`)];
    for (const action of ['send', 'pause', 'resume', 'cancel']) {
      expect((await call('POST', `/campaigns/${id}:${action}`)).status, action).to.be.below(300);
      states.push(await tagOf(`/campaigns/${id}`));
    }
    expect(new Set(states).size).to.equal(5);
  });
});
