import { expect } from 'chai';
import { jsonClient } from '#scripts/demo/client.ts';
import { usePlatform } from '../support/fixtures/outreach.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { call, type CallResponse } from '../support/http/call.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { eventually } from '../support/time/eventually.ts';
import { ask, isStream, neededQueries, operations, type Owner, pathOf, tracesOf } from './every-operation.ts';
import { recordStream } from './recorded-stream.ts';
import { numberPerIntegration } from './shared-platform.ts';
import { bringContacts, eventSender, install, type IsolatedTenant, make, play, withNumber } from './tenant-story.ts';

const numbers = ['sn-1', 'sn-2', 'sn-3'];

/** What a person with a list must not find out, of an id of another service number and of one that nobody has. */
const unknown = '01990000-0000-7000-8000-000000000000';

/** Without what differs from call to call. */
const lasting = (body: unknown) =>
  JSON.stringify(body)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":"an id"')
    // An event whose session is unknown is looked at again and again.
    .replaceAll(/"attempts":\d+/g, '"attempts":0');

describe('a person who has one of three service numbers', function () {
  this.timeout(180_000);
  const platform = usePlatform();
  const stack = useStack(() => ({ env: { PLATFORM_BASE_URL: platform.baseUrl, INBOX_PARTITIONS: '1' } }));
  let tenant: IsolatedTenant;
  let own: Owner;
  let others: Owner[];
  /** Of a marketing operator with the list `['sn-1']`. */
  let token: string;
  let first: Map<string, CallResponse<unknown>>;

  const address = () => `${stack.addresses.bff}/api/v1`;
  const tokenOf = (sub: string, roles: string[]) =>
    sandboxToken(jsonClient(stack.addresses.sandbox), { sub, tenantId: 'ivy', roles });
  const limit = (sub: string, serviceNumberIds: string[] | null) =>
    tenant.api.put(`/users/${sub}/service-numbers`, { serviceNumberIds });

  async function tell(of: IsolatedTenant): Promise<Owner> {
    const send = eventSender(stack, of);
    await bringContacts(of, send);
    const made = await make(of);
    await play(of, made, send);
    await eventually('every event is handled', async () => {
      const { items } = await of.api.get<{ items: { eventId: string; status: string }[] }>('/event-inbox?limit=200');
      return items.every(({ eventId, status }) => status === (eventId.endsWith('orphan') ? 'stored' : 'processed'));
    });
    await eventually('the campaign is completed', async () => {
      return (await of.api.get<{ status: string }>(`/campaigns/${made.linked}`)).status === 'completed';
    });
    return { tenant: of, made };
  }

  /** What each GET answers. Sessions say when they were last used, and what is refused is noted in the audit log. */
  async function readAll(): Promise<Map<string, CallResponse<unknown>>> {
    const read = new Map<string, CallResponse<unknown>>();
    const { items } = await jsonClient(address(), token).get<{ items: { auditId: string }[] }>('/audit-log');
    for (const [name, operation] of operations) {
      if (operation.method !== 'get' || isStream(operation) || operation.access === 'admin') continue;
      if (operation.path === '/sessions') continue;
      const path = pathOf(own, operation, { deliveryId: unknown, auditId: items.at(-1)?.auditId });
      read.set(name, await ask(stack, token, operation, path));
    }
    return read;
  }

  before(async () => {
    numberPerIntegration(platform);
    const named = numbers.map((serviceNumberId) => ({ serviceNumberId, name: `${serviceNumberId}-only-text` }));
    tenant = await install(stack, 'ivy', 8, named);
    await limit('ben', ['sn-1']);
    token = await tokenOf('ben', ['marketing_operator']);
    await jsonClient(address(), token).get('/campaigns');
    own = await tell(withNumber(tenant, 'sn-1', 8));
    first = await readAll();
    others = [await tell(withNumber(tenant, 'sn-2', 6)), await tell(withNumber(tenant, 'sn-3', 4))];
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('reads the same of every operation, whatever is done with the other two', async () => {
    const after = await readAll();
    const traces = (await Promise.all(others.map((other) => tracesOf(stack, other)))).flat();
    for (const [name, { status, body }] of after) {
      const text = JSON.stringify(body);
      expect([name, status]).to.deep.equal([name, first.get(name)?.status]);
      for (const trace of traces) expect(text.includes(trace), `${trace} in ${name}: ${text}`).to.equal(false);
      expect(lasting(body), name).to.equal(lasting(first.get(name)?.body));
    }
    const { body } = after.get('listCampaigns') ?? {};
    expect(JSON.stringify(body)).to.contain(own.made.linked);
  });

  /** The answer with `id` in its place, so that it can be compared with that about another id. */
  const about = ({ status, body }: CallResponse<unknown>, id: string) => [
    status,
    lasting(body).replaceAll(id, 'an id'),
  ];
  const post = (path: string, body: object) => call<unknown>('POST', `${address()}${path}`, { token, body });

  it('is told of every id of the other two that there is none, and changes nothing', async () => {
    const [other] = others as [Owner, Owner];
    const state = () =>
      stack.database
        .connect('outreach')
        .raw(
          `select (select json_agg(c order by campaign_id) from campaign c) as campaigns,
         (select json_agg(t order by tag_id) from tag t) as tags, (select json_agg(r order by rule_id) from smart_tag_rule r) as rules,
         (select json_agg(a order by audience_id) from audience a) as audiences,
         (select json_agg(r order by repeat_id) from campaign_repeat r) as repeats,
         (select json_agg(r order by template_id) from template r) as templates,
         (select count(*) from tag_assignment) as assignments`,
        )
        .then(({ rows }: { rows: unknown[] }) => rows);
    const [entry] = (
      await tenant.api.get<{ items: { auditId: string }[] }>(
        `/audit-log?objectType=campaign&objectId=${other.made.linked}`,
      )
    ).items;
    const had = await state();
    const nobody = {
      ...other,
      made: {
        ...other.made,
        ...Object.fromEntries(Object.keys(other.made).map((name) => [name, unknown])),
        keys: [unknown],
      },
    };
    let tried = 0;
    for (const [name, operation] of operations) {
      if (!operation.path.includes('{') || operation.access === 'admin' || operation.path.startsWith('/sessions'))
        continue;
      const response = await ask(stack, token, operation, pathOf(other, operation, { auditId: entry?.auditId }));
      const none = await ask(
        stack,
        token,
        operation,
        pathOf(nobody, operation, { auditId: unknown, snId: 'sn-of-nobody', eventId: unknown }),
      );
      expect([name, response.status]).to.deep.equal([name, 404]);
      expect(lasting(response.body), name).to.equal(lasting(none.body));
      tried += 1;
    }
    expect(tried).to.be.greaterThan(40);
    expect(await state()).to.deep.equal(had);
  });

  it('gets the answer to an unknown id where a query names one of the other two', async () => {
    const [{ tenant: of, made }] = others as [Owner, Owner];
    const { keys: _keys, ...madeIds } = made;
    const ids: Record<string, string> = {
      ...madeIds,
      serviceNumberId: of.serviceNumberId,
      campaignId: made.linked,
      objectId: made.linked,
      eventId: `${of.prefix}opened`,
      sourceCampaignId: made.linked,
      targetTagId: made.tagId,
      q: of.mark,
    };
    let tried = 0;
    for (const [name, operation] of operations) {
      if (operation.method !== 'get' || operation.access !== 'read' || isStream(operation)) continue;
      const path = pathOf(own, operation, { auditId: unknown });
      for (const field of Object.keys(operation.query?.shape ?? {})) {
        const id = ids[field];
        if (id === undefined) continue;
        const asked = (value: string) =>
          call<unknown>(
            'GET',
            `${address()}${path}${neededQueries[operation.path]?.replace(/serviceNumberId=[^&]*&/, '').concat('&') ?? '?'}${field}=${encodeURIComponent(value)}`,
            { token },
          );
        const none = field === 'serviceNumberId' ? 'sn-of-nobody' : unknown;
        expect(about(await asked(id), id), `${name} ${field}`).to.deep.equal(about(await asked(none), none));
        tried += 1;
      }
    }
    expect(tried).to.be.greaterThan(10);
  });

  it('gets the answer to an unknown id where a body names one of the other two', async () => {
    const [{ tenant: of, made }] = others as [Owner, Owner];
    const [serviceNumberId, text] = ['sn-1', [{ type: 'text', text: 'x' }]];
    const campaign = (more: object) => ({
      name: 'x',
      serviceNumberId,
      messages: text,
      schedule: { type: 'immediate' },
      audience: { type: 'contacts', contactIds: ['c-1'] },
      ...more,
    });
    const segment = (part: object) => ({ name: 'x', serviceNumberId, type: 'segment', segment: part });
    const bodies: [id: string, path: string, body: (id: string) => object][] = [
      [made.audienceId, '/campaigns', (audienceId) => campaign({ audience: { type: 'contacts', audienceId } })],
      [
        made.tagId,
        '/campaigns',
        (id) => campaign({ audience: { type: 'app_tags', appTagIds: [id], tagOperator: 'AND' } }),
      ],
      [made.tagId, '/audiences', (tag) => segment({ tag })],
      [made.audienceId, '/audiences', (audienceId) => segment({ inList: { audienceId } })],
      [made.linked, '/audiences', (id) => segment({ reached: { campaignIds: [id] } })],
      [made.linked, '/audiences', (id) => segment({ clicked: { campaigns: { campaignIds: [id] } } })],
      [
        made.tagId,
        '/audiences:preview',
        (tag) => ({ serviceNumberId, audience: { type: 'segment', segment: { tag } } }),
      ],
      [
        made.tagId,
        '/smart-tag-rules',
        (targetTagId) => ({
          name: 'x',
          triggerEvent: 'notice.clicked',
          matchCondition: { field: 'bizEventCode', op: 'eq', value: 'SAME' },
          targetTagId,
        }),
      ],
      [
        made.draft,
        '/repeats',
        (campaignId) => ({ name: 'x', campaignId, calendar: { type: 'daily', at: '09:00' }, zone: 'UTC' }),
      ],
      [made.linked, '/campaigns:close', (id) => ({ campaignIds: [id] })],
      [made.tagId, '/tags:archive', (id) => ({ tagIds: [id] })],
      [of.onlyContact, `/tags/${own.made.tagId}/assignments:batch`, (id) => ({ contactIds: [id] })],
      [made.ruleId, '/smart-tag-rules:remove', (id) => ({ ruleIds: [id] })],
      [`${of.prefix}orphan`, '/event-inbox:replay-selected', (id) => ({ eventIds: [id] })],
      [`${of.prefix}orphan`, '/event-inbox:dismiss-selected', (id) => ({ eventIds: [id], reason: 'x' })],
    ];
    for (const [id, path, body] of bodies) {
      const [response, none] = [await post(path, body(id)), await post(path, body(unknown))];
      expect(about(response, id), path).to.deep.equal(about(none, unknown));
      expect(response.status, `${path} ${lasting(response.body)}`).to.equal(
        lasting(none.body).includes('"refused"') ? 200 : 422,
      );
    }
  });

  it('loses an open stream, and the next request, when the number is taken away', async () => {
    const [{ made }] = others as [Owner, Owner];
    const cleo = await tokenOf('cleo', ['marketing_operator']);
    const read = () => call('GET', `${address()}/campaigns/${made.linked}`, { token: cleo });
    const stream = await recordStream(`${address()}/campaigns/${made.linked}/stream`, cleo);
    await eventually('the first event', () => stream.text().includes('event: progress'));
    expect((await read()).status).to.equal(200);
    await limit('cleo', ['sn-1', 'sn-3']);
    expect((await read()).status).to.equal(404);
    await eventually('the stream ends', () => stream.ended(), { timeoutMs: 5000 });
    await limit('cleo', null);
    expect((await read()).status).to.equal(200);
  });

  it('is like a key with the list', async () => {
    const [{ made }] = others as [Owner, Owner];
    const body = { name: 'Of one number', scopes: ['campaigns:read', 'contacts:read'], serviceNumberIds: ['sn-1'] };
    const { key } = await tenant.api.post<{ key: string }>('/api-keys', body);
    const read = async (path: string) => call<{ items: unknown[] }>('GET', `${address()}${path}`, { token: key });
    const { body: campaigns } = await read('/campaigns?limit=200');
    expect(campaigns).to.deep.equal(await jsonClient(address(), token).get('/campaigns?limit=200'));
    expect((await read('/service-numbers')).body.items).to.have.length(1);
    expect((await read(`/campaigns/${own.made.linked}`)).status).to.equal(200);
    expect((await read(`/campaigns/${made.linked}`)).status).to.equal(404);
    const unlimited = await tenant.api.post<{ key: string }>('/api-keys', { ...body, serviceNumberIds: null });
    expect((await call('GET', `${address()}/campaigns/${made.linked}`, { token: unlimited.key })).status).to.equal(200);
  });
});
