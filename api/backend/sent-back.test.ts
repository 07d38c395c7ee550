import { expect } from 'chai';
import { z } from 'zod';
import { parseBody } from '#api/http/sent-back.ts';
import { backendOperations } from '#domain/api/index.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import type { FieldError } from '#domain/api/problem.ts';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

const operations = Object.entries(backendOperations as unknown as Record<string, AnyOperation>);
const patches = operations.filter(([, { method }]) => method === 'patch');

/** What the service itself moves, with a value that it never has. */
const moved = {
  contactCount: 77,
  memberCount: 77,
  hitCount: 77,
  updatedAt: 'x',
  status: 'x',
  sends: 77,
  campaignName: 'x',
};

describe('a body with a null that cannot be', () => {
  it('is read without it, however deep the rest is nested', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    const schema = z.object({ a: z.object({ b: z.string().optional(), c: z.int() }), rest: z.unknown() });
    const result = parseBody(schema, { a: { b: null, c: 1 }, rest: deep });
    expect(result.data?.a).to.deep.equal({ c: 1 });
    expect(result.data?.rest).to.equal(deep);
  });
});

describe('what GET answers', () => {
  const backend = useTwoTenants({ contacts: 3 });
  let token: string;
  let ids: Record<string, string>;
  before(async () => {
    token = await backend.token('a', 'tenant_admin', 'ada');
    const of = { serviceNumberId: 'sn-1' };
    const make = async (path: string, body: object) => {
      const { status, body: made } = await backend.call('POST', path, { token, body });
      expect(status, JSON.stringify(made)).to.equal(201);
      return made as Record<string, string>;
    };
    const later = new Date(Date.now() + 86_400_000).toISOString();
    const { tagId = '' } = await make('/tags', { ...of, name: 'T', kind: 'temporary', expiresAt: later });
    const list = { ...of, name: 'L', type: 'contacts', contactIds: [contactId(1)] };
    const { audienceId = '' } = await make('/audiences', list);
    const id = await backend.draft({ note: 'n', endsAt: later });
    const condition = { any: [{ field: 'bizEventCode', op: 'eq', value: 'x' }] };
    const rule = { name: 'R', triggerEvent: 'notice.clicked', matchCondition: condition, targetTagId: tagId };
    const { ruleId = '' } = await make('/smart-tag-rules', rule);
    const calendar = { calendar: { type: 'daily', at: '09:00' }, zone: 'UTC' };
    const { repeatId = '' } = await make('/repeats', { name: 'D', campaignId: await backend.draft(), ...calendar });
    const content = { campaignName: null, note: null, messages: [{ type: 'text', text: 'Hello' }] };
    const { templateId = '' } = await make('/templates', { name: 'S', kind: 'message', content });
    const automation = {
      ...of,
      name: 'A',
      trigger: { event: 'contact.followed' },
      steps: [{ messages: content.messages }],
    };
    const { automationId = '' } = await make('/automations', automation);
    const receiver = { url: 'https://receiver.example/', eventTypes: ['campaign.sent'] };
    const { endpointId = '' } = await make('/webhook-endpoints', receiver);
    ids = { endpointId, tagId, audienceId, id, ruleId, repeatId, templateId, automationId };
  });

  const pathOf = ({ path }: AnyOperation) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
  const get = (operation: AnyOperation) => backend.call('GET', pathOf(operation), { token });
  const patch = (operation: AnyOperation, body: unknown, etag: string | null) =>
    backend.call('PATCH', pathOf(operation), { token, body, headers: etag === null ? {} : { 'If-Match': etag } });
  const audited = async () => (await backend.db('audit_log').select('action')).length;

  async function sentBack(operation: AnyOperation, more: object = {}): Promise<void> {
    const before = await get(operation);
    const etag = before.headers.get('etag');
    const entries = await audited();
    const { status, body } = await patch(operation, { ...before.body, ...more }, etag);
    expect([status, body], operation.path).to.deep.equal([200, before.body]);
    const after = await get(operation);
    expect([after.body, after.headers.get('etag')]).to.deep.equal([before.body, etag]);
    expect(await audited(), 'entries of the audit log').to.equal(entries);
  }

  for (const [name, operation] of patches) {
    it(`changes nothing where ${name} gets it back, whatever the service itself has moved since`, async () => {
      await sentBack(operation);
      const { body } = await get(operation);
      const inBody = new Set(Object.keys((operation.body as unknown as { shape: object }).shape));
      const shown = Object.entries(moved).filter(([field]) => field in body && !inBody.has(field));
      await sentBack(operation, Object.fromEntries(shown));
    });

    const { readOnly = [] } = operation;
    it(`names what ${name} can never change: ${readOnly.join(', ') || 'nothing'}`, async () => {
      const { body, headers } = await get(operation);
      expect(readOnly.length > 0).to.equal('createdAt' in body);
      for (const field of readOnly) {
        expect(body, 'shown').to.have.property(field);
        const refused = await patch(operation, { ...body, [field]: 'another' }, headers.get('etag'));
        const paths = refused.body.errors?.map(({ path }: FieldError) => path);
        expect([refused.status, refused.body.code, paths]).to.deep.equal([422, 'invalid_content', [`/${field}`]]);
      }
      expect((await get(operation)).body).to.deep.equal(body);
    });

    it(`means missing where ${name} gets null for what is never null`, async () => {
      const { body, headers } = await get(operation);
      const field = 'name' in body ? 'name' : 'viewersSeeContactPanel';
      expect(body[field]).to.not.equal(null);
      const changed = await patch(operation, { ...body, [field]: null }, headers.get('etag'));
      expect([changed.status, changed.body]).to.deep.equal([200, body]);
    });
  }

  it('clears by null what it can show as null, and changes the rest with what is sent back', async () => {
    const campaign = backendOperations.updateCampaign as unknown as AnyOperation;
    const { body, headers } = await get(campaign);
    const changed = await patch(campaign, { ...body, note: null, name: 'New' }, headers.get('etag'));
    expect(changed.body).to.include({ note: null, name: 'New', endsAt: body.endsAt });
    expect(changed.headers.get('etag')).not.to.equal(headers.get('etag'));
    expect((await patch(campaign, changed.body, headers.get('etag'))).status, 'still of a version').to.equal(412);
    expect((await patch(campaign, changed.body, null)).status).to.equal(428);
  });

  it('is not asked for where the body is null', async () => {
    const bodies = operations.filter(([, { body, bodyType }]) => body && !bodyType);
    expect(bodies.length).to.be.greaterThan(20);
    for (const [name, operation] of bodies) {
      const { method, status } = operation;
      const send = async (body: unknown) =>
        (await backend.call(method.toUpperCase(), pathOf(operation), { token, body, headers: { 'If-Match': '*' } }))
          .status;
      expect(await send(null), name)
        .to.be.oneOf([400, 404, 409, 422])
        .and.not.equal(status);
    }
    for (const [name, operation] of patches) expect((await patch(operation, null, '*')).status, name).to.equal(400);
  });

  it('changes nothing of what can no longer be changed: a sent campaign, an ended repeat, an archived tag', async () => {
    await backend.act(ids['id'] ?? '', 'send');
    await backend.call('POST', `/repeats/${ids['repeatId']}:end`, { token });
    for (const action of ['activate', 'end'])
      await backend.call('POST', `/automations/${ids['automationId']}:${action}`, { token });
    await backend.call('DELETE', `/smart-tag-rules/${ids['ruleId']}`, { token });
    await backend.call('DELETE', `/tags/${ids['tagId']}`, { token });
    const { updateCampaign, updateRepeat, updateTag, updateAutomation } = backendOperations;
    for (const operation of [updateCampaign, updateRepeat, updateTag, updateAutomation])
      await sentBack(operation as unknown as AnyOperation);
  });

  it('is taken by PUT, whose secret stays', async () => {
    const put = (body: object) => backend.call('PUT', '/webhook', { token, body });
    await backend.db('webhook').delete();
    const made = await put({ url: 'https://receiver.example/', eventTypes: ['contact.clicked'] });
    expect(made.body.secret).to.be.a('string');
    const { webhook } = (await backend.call('GET', '/webhook', { token })).body;
    const again = await put({ ...webhook, secret: null });
    expect([again.status, again.body.url, again.body.secret]).to.deep.equal([200, webhook.url, undefined]);
  });

  it('means missing at POST where an optional field is null', async () => {
    const of = { serviceNumberId: 'sn-1', name: 'Nulls' };
    const list = {
      ...of,
      type: 'contacts',
      contactIds: [contactId(1)],
      segment: null,
      appTagIds: null,
      tagOperator: null,
    };
    expect((await backend.call('POST', '/audiences', { token, body: list })).body.memberCount).to.equal(1);
    const tag = { ...of, kind: 'permanent', color: null, expiresAt: null };
    const odd = { ...JSON.parse('{"__proto__": null, "constructor": null}'), ...tag, name: 'Odd' };
    expect((await backend.call('POST', '/tags', { token, body: odd })).status).to.equal(201);
    expect((await backend.call('POST', '/tags', { token, body: tag })).status).to.equal(201);
    const id = await backend.draft();
    expect((await backend.act(id, 'send', { body: { expectedReachableCount: null } })).status).to.equal(202);
  });

  it('means missing where a field within a field is null, and is refused where it is needed', async () => {
    const link = { type: 'Url', label: 'More', url: 'https://shop.example/', tracked: null };
    const card = { type: 'buttons', title: 'Spring', text: 'New', actions: [link] };
    const draft = (over: object) => ({
      serviceNumberId: 'sn-1',
      name: 'Inner nulls',
      channels: ['default'],
      messages: [card],
      audience: {
        type: 'segment',
        audienceId: null,
        segment: { all: [{ clicked: { campaigns: { lastDays: 7 }, times: null } }] },
      },
      schedule: { type: 'immediate', at: null },
      ...over,
    });
    const post = (over: object) => backend.call('POST', '/campaigns', { token, body: draft(over) });
    const { status, body, headers } = await post({});
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.messages[0].actions[0]).to.not.have.property('tracked');
    const changed = await backend.call('PATCH', `/campaigns/${body.id}`, {
      token,
      body: { messages: [{ ...card, title: 'Summer' }] },
      headers: { 'If-Match': headers.get('etag') ?? '' },
    });
    expect([changed.status, changed.body.messages[0].title]).to.deep.equal([200, 'Summer']);
    const unnamed = await post({ messages: [{ ...card, actions: [{ ...link, label: null }] }] });
    expect([unnamed.status, unnamed.body.errors[0].path]).to.deep.equal([400, '/messages/0/actions/0/label']);
    const gap = await post({ messages: [card, null] });
    expect([gap.status, gap.body.errors[0].path]).to.deep.equal([400, '/messages/1']);
  });
});
