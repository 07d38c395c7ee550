import { randomBytes } from 'node:crypto';
import { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';
import type { RingKey } from '#domain/keys/key-ring.ts';
import { createPayloadCodec } from '#api/runtime/payload-codec.ts';
import { converting } from '#api/runtime/temporal.ts';
import { sealedWorkflowBundle } from '#scripts/build/targets.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { productionBundle } from '../support/services/outreach-worker.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';

const keyNamed = (id: string): RingKey => ({ id, key: randomBytes(32).toString('base64') });
const [recent, old] = [keyNamed('p2'), keyNamed('p1')];
const UI = 'http://temporal.internal:8233';

interface PayloadJson {
  metadata: Record<string, string>;
  /** None where a result is nothing. */
  data?: string;
}

const plain = (text: string) => Buffer.from(text, 'base64').toString('utf8');

/** Every payload of a history, but search attributes, which Temporal has to read. */
function* payloadsOf(value: unknown, name = ''): Generator<{ metadata: Record<string, Uint8Array>; data: Uint8Array }> {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || name === 'searchAttributes') return;
  if ('metadata' in value && 'data' in value) {
    const { metadata, data } = value as { metadata: Record<string, Uint8Array>; data: Uint8Array };
    yield { metadata, data };
  } else for (const [field, one] of Object.entries(value)) yield* payloadsOf(one, field);
}

describe('Payloads that are sealed on their way to Temporal', function () {
  this.timeout(180_000);
  const stack = useStack({
    env: {
      TEMPORAL_PAYLOAD_KEYS: [recent, old].map(({ id, key }) => `${id}:${key}`).join(),
      TEMPORAL_CODEC_ROLE: 'temporal_reader',
      TEMPORAL_UI_URL: UI,
    },
  });
  const codec = createPayloadCodec([recent, old]);
  let tenant: TestTenant;
  let campaignId: string;
  let sealed: PayloadJson[];

  const historyOf = (workflowId: string) => stack.temporal.client.workflow.getHandle(workflowId).fetchHistory();

  before(async () => {
    tenant = await installTenant(stack, { tenantId: 'sealed-tenant', serviceNumberId: 'sn-sealed', contacts: 3 });
    campaignId = (await sendCampaign(tenant, {})).campaign.id;
    const history = await historyOf(`dispatch:${campaignId}:1`);
    sealed = [...payloadsOf(history.events)].map(({ metadata, data }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
      ),
      data: Buffer.from(data).toString('base64'),
    }));
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  const tokenOf = async (roles: string[]): Promise<string> => {
    const person = { sub: 'olga', name: 'Olga', tenantId: 'sealed-tenant', roles };
    return sandboxToken(tenant.sandbox, person);
  };
  const decode = async (token: string | null, origin = UI, payloads = sealed) => {
    const response = await fetch(`${stack.addresses.bff}/codec/decode`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-namespace': stack.temporal.namespace,
        origin,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ payloads }),
    });
    const body = (await response.json()) as { payloads?: PayloadJson[] };
    return { status: response.status, allowed: response.headers.get('access-control-allow-origin'), ...body };
  };

  it('hold no id in clear in what the server has of a whole send, which runs as it does without', async () => {
    const progress = await tenant.api.get<{ summary: { sent: number } }>(`/campaigns/${campaignId}/progress`);
    expect(progress.summary.sent).to.equal(3);
    expect(sealed.length).to.be.greaterThan(5);
    for (const { metadata, data = '' } of sealed) {
      expect(plain(metadata['encoding'] ?? '')).to.equal('binary/encrypted');
      expect(plain(metadata['encryption-key-id'] ?? '')).to.equal('p2');
      for (const id of [campaignId, 'sealed-tenant', 'tenantId']) expect(plain(data).includes(id)).to.equal(false);
    }
    const types = new Set<string>();
    for await (const { type, workflowId, runId } of stack.temporal.client.workflow.list()) {
      types.add(type);
      const { events } = await stack.temporal.client.workflow.getHandle(workflowId, runId).fetchHistory();
      for (const { metadata } of payloadsOf(events))
        expect(Buffer.from(metadata['encoding'] ?? []).toString(), `${type} ${workflowId}`).to.equal(
          'binary/encrypted',
        );
    }
    expect([...types]).to.include.members(['installTenant', 'dispatchCampaign', 'pollTaskStatus', 'sweepOutreach']);
  });

  it('replay with the keys, also after another has become the first', async () => {
    const workflowId = `dispatch:${campaignId}:1`;
    const history = await historyOf(workflowId);
    const replay = async (...ring: [RingKey, ...RingKey[]]) => {
      const options = {
        workflowBundle: await productionBundle(sealedWorkflowBundle),
        ...converting({ payloadKeys: ring }),
      };
      return Worker.runReplayHistory(options, history, workflowId).then(() => 'replayed', String);
    };
    expect(await replay(old, recent)).to.equal('replayed');
    expect(await replay(old)).to.not.equal('replayed');
  });

  it('are read by somebody with the role, from the pages of Temporal UI', async () => {
    const { status, allowed, payloads = [] } = await decode(await tokenOf(['temporal_reader']));
    expect([status, allowed]).to.deep.equal([200, UI]);
    const read = payloads.map(({ data = '' }) => plain(data)).join('\n');
    expect(read).to.contain(`"campaignId":"${campaignId}"`).and.contain('"tenantId":"sealed-tenant"');
    const preflight = await fetch(`${stack.addresses.bff}/codec/decode`, {
      method: 'OPTIONS',
      headers: { origin: UI, 'access-control-request-method': 'POST' },
    });
    const headers = Object.fromEntries(preflight.headers);
    expect([
      preflight.status,
      headers['access-control-allow-origin'],
      headers['access-control-allow-credentials'],
    ]).to.deep.equal([204, UI, 'true']);
  });

  it('are read by nobody else', async () => {
    for (const roles of [['tenant_admin', 'marketing_operator', 'order_admin'], ['viewer'], []])
      expect((await decode(await tokenOf(roles))).status, roles.join()).to.equal(403);
    for (const token of [null, 'no-token']) {
      const { status, payloads } = await decode(token);
      expect([status, payloads]).to.deep.equal([401, undefined]);
    }
    const elsewhere = await decode(await tokenOf(['temporal_reader']), 'https://evil.example');
    expect(elsewhere.allowed).to.equal(null);
  });

  it('are rejected if somebody else sealed or altered them', async () => {
    const token = await tokenOf(['temporal_reader']);
    const [first] = sealed;
    const altered = { metadata: first?.metadata ?? {}, data: randomBytes(60).toString('base64') };
    const foreign = await createPayloadCodec([keyNamed('p2')]).encode([{ data: Buffer.from('x') }]);
    const [sealedElsewhere] = foreign.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
      ),
      data: Buffer.from(data ?? []).toString('base64'),
    }));
    for (const wrong of [altered, sealedElsewhere])
      expect((await decode(token, UI, wrong ? [wrong] : [])).status).to.equal(400);
  });

  it('can be made by its first key and opened by every one, and pass where they were never sealed', async () => {
    const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"x"') };
    const former = createPayloadCodec([old]);
    const [opened] = await codec.decode(await former.encode([payload]));
    expect(opened).to.deep.equal(payload);
    expect(await codec.decode([payload])).to.deep.equal([payload]);
    const failure = await former.decode(await codec.encode([payload])).catch(String);
    expect(failure).to.contain('the key p2');
    // A client with the keys reads what the stack's own processes wrote.
    const { connection, namespace } = stack.temporal;
    const client = new Client({ connection, namespace, dataConverter: { payloadCodecs: [codec] } });
    const described = await client.workflow.getHandle(`dispatch:${campaignId}:1`).describe();
    expect(await described.staticSummary()).to.contain(campaignId);
  });
});
