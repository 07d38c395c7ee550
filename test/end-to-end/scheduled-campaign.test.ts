import { expect } from 'chai';
import type { Campaign } from '#domain/api/campaign.ts';
import type { CampaignHistoryItem } from '#domain/api/campaign-history.ts';
import type { PossibleActions } from '#domain/api/campaign-snapshots.ts';
import type { Page } from '#domain/api/primitives.ts';
import { type RecordingPlatform, startRecordingPlatform } from '../support/doubles/recording-platform.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { call } from '../support/http/call.ts';
import { draftCampaign, type GivenCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { fillContacts, installTenant, type TestTenant } from '../support/services/tenant.ts';
import type { SubmittedBody } from '../support/services/editing-site.ts';
import { eventually } from '../support/time/eventually.ts';

const tenantId = 'replanned';
const serviceNumberId = 'sn-replanned';
const contacts = 1200;
const text = (words: string) => [{ type: 'text' as const, text: words }];

describe('A17: changing a scheduled campaign, end to end', function () {
  this.timeout(60_000);
  let platform: RecordingPlatform;
  let tenant: TestTenant;
  let ada: string;
  before(async () => void (platform = await startRecordingPlatform()));
  const stack = useStack(() => ({
    services: ['sandbox', 'backend', 'bff'],
    env: { PLATFORM_BASE_URL: platform.baseUrl },
  }));

  before(async () => {
    tenant = await installTenant(stack, { tenantId, serviceNumberId, contacts: 2 });
    await fillContacts(stack, tenant, contacts);
    const person = { sub: 'ada', name: 'Ada', tenantId, roles: ['marketing_operator'] };
    ada = await sandboxToken(tenant.sandbox, person);
  });
  beforeEach(() => {
    platform.calls.length = 0;
    platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'scheduled' } } : null));
  });
  after(() => platform.close());
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  const at = new Date(Date.now() + 3_600_000).toISOString();
  const later = new Date(Date.now() + 7_200_000).toISOString();
  const as = <Body>(method: string, path: string, more: { body?: unknown; headers?: Record<string, string> } = {}) =>
    call<Body>(method, `${stack.addresses.bff}/api/v1${path}`, { token: ada, ...more });
  const a1s = () =>
    platform.of('A1').map(({ headers, body }) => ({
      ...(body as unknown as SubmittedBody),
      taskId: `task-${String(headers['idempotency-key'])}`,
    }));
  const cancelled = () => platform.of('A3').map(({ path }) => path.split('/').at(-1)?.replace(':cancel', ''));

  async function scheduled(given: GivenCampaign = {}): Promise<string> {
    const campaign = { schedule: { type: 'scheduled' as const, at }, messages: text('As planned'), ...given };
    const { id } = await draftCampaign(tenant, campaign);
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('both sub-tasks are scheduled', async () => {
      const tasks = await subTasksOf(tenant, id);
      return tasks.length === 2 && tasks.every(({ status }) => status === 'scheduled');
    });
    return id;
  }

  async function change(id: string, body: unknown) {
    const read = await as<Campaign>('GET', `/campaigns/${id}`);
    const headers = { 'If-Match': read.headers.get('etag') ?? '' };
    return { read, ...(await as<Campaign & { code?: string }>('PATCH', `/campaigns/${id}`, { body, headers })) };
  }

  it('responds once every task is cancelled, and submits each contact once with the new content', async () => {
    const id = await scheduled();
    const before = (await subTasksOf(tenant, id)).map(({ taskId }) => String(taskId));
    const actions = await as<PossibleActions>('GET', `/campaigns/${id}/actions`);
    expect(actions.body.edit).to.equal(contacts);
    const changed = await change(id, {
      name: 'Moved',
      messages: text('Changed'),
      schedule: { type: 'scheduled', at: later },
    });
    expect([changed.status, changed.body.name, changed.body.pendingEdit]).to.deep.equal([200, 'Moved', null]);
    expect(changed.body.schedule).to.deep.equal({ type: 'scheduled', at: later });
    expect(changed.headers.get('etag')).not.to.equal(changed.read.headers.get('etag'));
    expect(cancelled().toSorted()).to.deep.equal(before.toSorted());
    await eventually('both are submitted again', () => a1s().length === 4);
    const again = a1s().slice(2);
    expect(again.map(({ name, messages, schedule }) => ({ name, messages, schedule }))).to.deep.equal(
      again.map(() => ({ name: 'Moved', messages: text('Changed'), schedule: { type: 'scheduled', at: later } })),
    );
    expect(again.flatMap(({ audience }) => audience.contactIds).toSorted()).to.deep.equal(tenant.contactIds);
    const known = await as<Campaign>('GET', `/campaigns/${id}`);
    expect([known.body.status, known.body.audienceCount]).to.deep.equal(['scheduled', contacts]);
  });

  it('responds with 409 if the platform has begun, and submits what was cancelled again as it was', async () => {
    const id = await scheduled({ name: 'Begun' });
    const [first = '', second = ''] = (await subTasksOf(tenant, id)).map(({ taskId }) => String(taskId));
    const status = (path: string) => (path.includes(second) ? 'sending' : 'scheduled');
    platform.behave(({ route, path }) => {
      if (route === 'A3' && path.includes(second)) return { status: 409, body: { code: 'too_late', message: 'begun' } };
      return route === 'A2' ? { status: 200, body: { status: status(path) } } : null;
    });
    const response = await change(id, { messages: text('Changed') });
    expect([response.status, response.body.code]).to.deep.equal([409, 'invalid_state']);
    await eventually('it is submitted again', () => a1s().length === 3);
    const [, , again] = a1s();
    expect([again?.messages, again?.schedule.at]).to.deep.equal([text('As planned'), at]);
    const before = a1s().find(({ taskId }) => taskId === first);
    expect(again?.audience.contactIds).to.deep.equal(before?.audience.contactIds);
    const known = await as<Campaign>('GET', `/campaigns/${id}`);
    expect([known.body.messages, known.body.pendingEdit]).to.deep.equal([text('As planned'), null]);
    const { items } = await tenant.api.get<Page<CampaignHistoryItem>>(`/campaigns/${id}/history`);
    expect(JSON.stringify(items)).to.include('campaign.update_too_late');
  });

  it('moves an audience that is resolved at the start to the new start', async () => {
    const soon = { type: 'scheduled' as const, at, audience: 'at_start' as const };
    const { id } = await draftCampaign(tenant, { schedule: soon, messages: text('As planned') });
    await tenant.api.post(`/campaigns/${id}:send`);
    const start = new Date(Date.now() + 2000).toISOString();
    const moved = await change(id, { schedule: { ...soon, at: start }, messages: text('Earlier') });
    expect([moved.status, moved.body.schedule]).to.deep.equal([200, { ...soon, at: start }]);
    await eventually('it is submitted at the new start', () => a1s().length === 2);
    expect(a1s().map(({ messages }) => messages)).to.deep.equal([text('Earlier'), text('Earlier')]);
    expect(
      a1s()
        .flatMap(({ audience }) => audience.contactIds)
        .toSorted(),
    ).to.deep.equal(tenant.contactIds);
    expect(Date.now()).to.be.at.least(Date.parse(start));
  });

  it('rejects what cannot be: a start in the past, an end before the start, other fields', async () => {
    const id = await scheduled({ name: 'Kept' });
    const errors = async (body: unknown) => {
      const response = await change(id, body);
      const { errors: found } = response.body as unknown as { errors: { path: string }[] };
      return [response.status, found.map(({ path }) => path)];
    };
    expect(await errors({ schedule: { type: 'scheduled', at: '2020-01-01T00:00:00Z' } })).to.deep.equal([
      422,
      ['/schedule/at'],
    ]);
    expect(await errors({ endsAt: new Date(Date.parse(at) - 1000).toISOString() })).to.deep.equal([422, ['/endsAt']]);
    expect(await errors({ channels: ['other'] })).to.deep.equal([409, ['/channels']]);
    expect(cancelled()).to.deep.equal([]);
  });
});
