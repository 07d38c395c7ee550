import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import type { Campaign } from '#domain/api/campaign.ts';
import { recordedHistories } from '../replay/recorded.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import { openShop } from '../support/services/shop.ts';
import { installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

/** Empty where a walk through all of them begins. */
const id = /^[A-Za-z0-9_:.-]{0,128}$/;
const word = /^[A-Za-z][A-Za-z_]{0,40}$/;
const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/;

/** What a payload may consist of besides numbers: by the field's name, since a name alone looks like an id. */
const shapes: [fields: RegExp, value: RegExp][] = [
  [/^(tenantId|tenantIds|platformTenantId|tenantIntegrationId|campaignId|dispatchId|copywritingId|repeatId)$/, id],
  [/^serviceNumberId$/, id],
  [/^(orderId|orderNo|chargeId|refundId|shopId|after|cursor|nextCursor|pendingRefunds|subTaskId|ruleId|taskId)$/, id],
  [/^(TenantId|CampaignId|OrderId|TemporalScheduledById)$/, id],
  // Where a check of the books goes on: behind the last account of a page.
  [/^userId$/, id],
  // Of a patch.
  [/^(id|TemporalChangeVersion)$/, /^[a-z-]{1,64}$/],
  // Of a local activity.
  [/^(activity_id|activity_type)$/, id],
  [
    /^(now|date|at|before|until|readAt|expiresAt|freezeAt|nextLookAt|waitUntil|rotatedAt|TemporalScheduledStartTime)$/,
    time,
  ],
  [/^(kind|list|state|status|verdict|code|outcome|resolution|slots|BizStatus)$/, word],
  // Why something ended, in words of ours: with the status of an answer, never with its text.
  [/^reason$/, /^([a-z_]+|[A-Za-z ]+ (HTTP|status) \d{3})$/],
  [/^(added|dropped|kept)$/, /^[a-z_]+ \d{4}-\d\d-\d\d$/],
  // Where the payer pays a charge: an address of the gateway with the charge's id.
  [/^paymentUrl$/, /^https?:\/\/[^/]+\/[A-Za-z0-9/_.:-]*$/],
  // A result that is one word, or a list of ids.
  [/^$/, /^[A-Za-z0-9_:.-]{1,64}$/],
];

interface Found {
  where: string;
  field: string;
  value: string;
}

interface Payload {
  metadata?: { encoding?: string } | null;
  data?: string;
}

const decoded = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString('utf8');

/** Every text of a payload, with the name of the field that it, or the list it is in, belongs to. */
function* textsOf(value: unknown, where: string, field = ''): Generator<Found> {
  if (typeof value === 'string') yield { where, field, value };
  else if (Array.isArray(value)) for (const one of value) yield* textsOf(one, where, field);
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) yield* textsOf(one, where, name);
}

const isPayload = (value: object): value is Payload => 'metadata' in value && 'data' in value;

/** Every payload of a history as JSON, with the name of what holds it; a summary or details are texts of ours. */
function* payloadsOf(value: unknown, where: string, field = ''): Generator<Found> {
  if (Array.isArray(value)) for (const one of value) yield* payloadsOf(one, where, field);
  else if (typeof value !== 'object' || value === null) return;
  else if (isPayload(value)) {
    const encoding = decoded(value.metadata?.encoding);
    if (encoding === 'binary/null') return;
    if (encoding !== 'json/plain') throw new Error(`${where}: a payload that is ${encoding}`);
    const json: unknown = JSON.parse(decoded(value.data));
    if (field === 'summary' || field === 'details') yield { where, field: 'text', value: String(json) };
    else yield* textsOf(json, where, ['payloads', 'input', 'result'].includes(field) ? '' : field);
  } else for (const [name, one] of Object.entries(value)) yield* payloadsOf(one, where, isList(name) ? field : name);
}

/** A list of payloads takes the place of what it belongs to: it has no field of its own. */
const isList = (name: string): boolean => name === 'payloads';

/** What is neither an id nor a time nor a word of ours. */
const unexpected = (found: Iterable<Found>): string[] =>
  [...found].flatMap(({ where, field, value }) => {
    const allowed =
      field === 'text'
        ? !/[“”@]|https?:|whsec_|v[12]\./.test(value)
        : shapes.some(([fields, shape]) => fields.test(field) && shape.test(value));
    return allowed ? [] : [`${where} ${field}: ${value}`];
  });

interface HistoryEvent {
  workflowExecutionStartedEventAttributes?: object;
  userMetadata?: object;
}

/** What a run says it is about, where it begins: staff find a campaign by its name. */
const titleOf = (events: HistoryEvent[]): HistoryEvent[] =>
  events.filter((event) => event.workflowExecutionStartedEventAttributes);
const withoutTitle = (events: HistoryEvent[]): HistoryEvent[] =>
  events.map(({ userMetadata, ...event }) =>
    event.workflowExecutionStartedEventAttributes ? event : { ...event, ...(userMetadata && { userMetadata }) },
  );

describe('Recorded histories', () => {
  it('hold ids, counts, times and words of ours alone, but for their titles', () => {
    const found = recordedHistories.flatMap(({ name, events }) => [...payloadsOf(withoutTitle(events), name)]);
    expect(found.length).to.be.greaterThan(1000);
    expect(unexpected(found)).to.deep.equal([]);
  });

  it('are seen through: a name, a text or a secret in any field is found', () => {
    const payload = (json: unknown) => ({
      input: {
        payloads: [
          {
            metadata: { encoding: Buffer.from('json/plain').toString('base64') },
            data: Buffer.from(JSON.stringify(json)).toString('base64'),
          },
        ],
      },
    });
    const of = (json: unknown) => unexpected(payloadsOf([payload(json)], 'x'));
    expect(of({ campaignId: 'c-1', number: 3, at: '2026-01-01T00:00:00Z', ok: true, none: null })).to.deep.equal([]);
    for (const wrong of [{ name: 'Ada' }, { a: { secret: 's' } }, { campaignId: 'Winter menu' }, ['a text'], 'a text'])
      expect(of(wrong), JSON.stringify(wrong)).to.have.length(1);
  });
});

/** What people write, and what nobody may read; none of it is an id. */
const canaries = ['Kanarienvogel', 'kanarie-secret'];

interface Lifecycle {
  status: number;
}

describe('The histories of a run of the flows', function () {
  this.timeout(240_000);
  const stack = useStack();
  let tenant: TestTenant;

  /** Bytes as recorded histories have them. */
  function withBase64(this: Record<string, unknown>, name: string, value: unknown): unknown {
    const own = this[name];
    return own instanceof Uint8Array ? Buffer.from(own).toString('base64') : value;
  }

  const everyHistory = async (client: Client) => {
    const histories: { name: string; events: HistoryEvent[]; title: string }[] = [];
    for await (const { type, workflowId, runId } of client.workflow.list()) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      const events = JSON.parse(JSON.stringify(history.events, withBase64)) as HistoryEvent[];
      const name = `${type} ${workflowId}`;
      const texts = [...payloadsOf(titleOf(events), name)].filter(({ field }) => field === 'text');
      histories.push({ name, events: withoutTitle(events), title: texts.map(({ value }) => value).join(' ') });
    }
    return histories;
  };

  const send = (name: string) =>
    sendCampaign(tenant, {
      name: `Kanarienvogel ${name}`,
      messages: [
        { type: 'text', text: 'Kanarienvogel is back' },
        {
          type: 'buttons',
          title: 'Kanarienvogel',
          text: 'Kanarienvogel',
          actions: [{ type: 'Url', label: 'Kanarienvogel', url: 'https://kanarie.example/Kanarienvogel' }],
        },
      ],
    });

  before(async () => {
    tenant = await installTenant(stack, { tenantId: 'cage', serviceNumberId: 'sn-cage', contacts: 3 });
    const { tenantIntegrationId } = await signerOf(tenant);
    const lifecycle = (verb: string, body: object) =>
      tenant.sandbox.post<Lifecycle>(`/admin/tenant-integrations/${tenantIntegrationId}:${verb}`, body);
    await lifecycle('update', { tenant: { name: 'Kanarienvogel Ltd', type: 'Kanarienvogel' } });
    const { campaign } = await send('one');
    await tenant.api.post(`/campaigns/${campaign.id}:close`);
    await eventually('it is closed', async () => {
      const { status } = await tenant.api.get<Campaign>(`/campaigns/${campaign.id}`);
      return status === 'closed';
    });
    const newSecret = 'kanarie-secret-'.padEnd(48, 'x');
    expect((await lifecycle('rotate-secret', { newSecret })).status).to.equal(200);
    const ada = {
      sub: 'ada',
      name: 'Kanarienvogel Ada',
      tenantId: 'cage',
      serviceNumberId: 'sn-cage',
      roles: ['order_admin'],
    };
    const shop = await openShop(stack, ada);
    await shop.payBoxes('Kanarienvogel boxes');
    expect((await lifecycle('uninstall', { reason: 'Kanarienvogel has flown' })).status).to.equal(200);
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('hold ids, counts, times and words of ours alone, and of what people wrote only names of campaigns in titles', async () => {
    const histories = await everyHistory(stack.temporal.client);
    const types = new Set(histories.map(({ name }) => name.split(' ')[0]));
    const flows = ['installTenant', 'dispatchCampaign', 'pollTaskStatus', 'closeCampaign', 'rotateSecret', 'payOrder'];
    for (const type of [...flows, 'uninstallTenant', 'handleInbox', 'sweepOutreach', 'sweepOrders'])
      expect([...types], type).to.include(type);
    const found = histories.flatMap(({ name, events }) => [...payloadsOf(events, name)]);
    expect(found.length).to.be.greaterThan(100);
    expect(unexpected(found)).to.deep.equal([]);
    const secrets = [...stack.settings.INTERNAL_API_SECRET, stack.settings.IDENTITY_CLIENT_SECRET];
    for (const { name, events } of histories) {
      // Failures and reasons are no payloads.
      const everything = `${JSON.stringify(events)} ${[...payloadsOf(events, name)].map(({ value }) => value).join(' ')}`;
      for (const canary of [...canaries, ...secrets])
        expect(everything.includes(canary), `${name} ${canary}`).to.equal(false);
    }
    for (const { name, title } of histories) {
      for (const written of ['is back', 'Kanarienvogel Ada', 'Kanarienvogel boxes', 'has flown', ...secrets])
        expect(title, name).not.to.include(written);
      const isOfCampaign = /^(dispatchCampaign|pollTaskStatus|closeCampaign) /.test(name);
      expect(title.includes('Kanarienvogel one'), `${name}: ${title}`).to.equal(isOfCampaign);
    }
  });
});
