import { expect } from 'chai';
import type { Client } from '@temporalio/client';
import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import type { ContactExport } from '#domain/api/person.ts';
import { createNonce } from '#domain/signature.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { signedPost } from '../isolation/tenant-story.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { call } from '../support/http/call.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';
import { tablesContaining } from './everywhere.ts';

/** Everything that Temporal has stored of a namespace's workflows, as text. */
async function* historiesOf(client: Client): AsyncGenerator<{ workflowId: string; text: string }> {
  const readable = (_: string, value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
    return typeof value === 'bigint' ? String(value) : value;
  };
  for await (const { workflowId, runId } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const { raw } = await handle.describe();
    yield { workflowId, text: JSON.stringify([await handle.fetchHistory(), raw], readable) };
  }
}

describe('one person’s data across all services', function () {
  this.timeout(120_000);
  const stack = useStack();
  let tenant: TestTenant;
  let person: string;
  let send: (event: object) => Promise<void>;
  let click: Record<string, unknown> & { eventId: string };

  const eventOf = (eventId: string, eventType: string, data: object, occurredAt = new Date()) => ({
    eventId,
    eventType,
    occurredAt: occurredAt.toISOString(),
    scope: { serviceNumberId: tenant.serviceNumberId },
    data: { contactId: person, serviceNumberId: tenant.serviceNumberId, ...data },
  });
  const handled = (eventId: string, status: string) =>
    eventually(`${eventId} is ${status}`, async () => {
      const { items } = await tenant.api.get<{ items: { eventId: string; status: string }[] }>(
        '/event-inbox?limit=200',
      );
      return items.some((item) => item.eventId === eventId && item.status === status);
    });
  const everywhere = () => tablesContaining(stack.database.connect('outreach', 'owner'), person);
  async function callAs(roles: string[], method: string, path: string, body?: object) {
    const claims = { sub: `one-${roles.join('-')}`, name: 'One', tenantId: tenant.tenantId, roles };
    const token = await sandboxToken(jsonClient(stack.addresses.sandbox), claims);
    const address = `${stack.addresses.bff}/api/v1/contacts/${tenant.serviceNumberId}/${person}${path}`;
    return call<Record<string, unknown>>(method, address, { token, ...(body && { body }) });
  }

  before(async () => {
    tenant = await installTenant(stack, { tenantId: 'erasing', serviceNumberId: 'line-of-7c1', contacts: 3 });
    person = tenant.contactIds[0] ?? '';
    const { tenantIntegrationId: integrationId, secret } = await signerOf(tenant);
    const post = signedPost(stack, { integrationId, secret });
    send = (event) => post('/webhook', event, createNonce());
    const { id } = await tenant.api.post<Campaign>('/campaigns', {
      name: 'Spring',
      serviceNumberId: tenant.serviceNumberId,
      messages: [{ type: 'text', text: 'Hello' }],
      audience: { type: 'contacts', contactIds: tenant.contactIds },
      schedule: { type: 'immediate' },
    });
    await tenant.api.post(`/campaigns/${id}:send`);
    const [task] = await eventually('the campaign is completed', async () => {
      const { items } = await tenant.api.get<{ items: SubTask[] }>(`/campaigns/${id}/tasks`);
      return items.length > 0 && items.every(({ status }) => status === 'completed') && items;
    });
    click = eventOf('clicked-1', 'notice.clicked', {
      taskId: task?.taskId,
      noticeId: 'n-1',
      actionIndex: 0,
      action: { type: 'Url', url: 'https://shop.example/' },
      clickedAt: new Date().toISOString(),
    });
    await send(click);
    await handled(click.eventId, 'processed');
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('A14: the frontend API exports and erases for administrators alone', async () => {
    for (const roles of [['viewer'], ['marketing_operator'], ['order_admin']]) {
      expect((await callAs(roles, 'GET', '/export')).status, roles[0]).to.equal(403);
      expect((await callAs(roles, 'POST', ':erase', { reason: 'x' })).status, roles[0]).to.equal(403);
    }
    const exported = await callAs(['tenant_admin'], 'GET', '/export');
    expect(exported.status).to.equal(200);
    const { profiles, clicks, recipients, events } = exported.body as unknown as ContactExport;
    expect([profiles.length, clicks.length, recipients.length]).to.deep.equal([1, 1, 1]);
    expect(events.length).to.be.at.least(2);
    expect(await everywhere()).to.contain('outreach.contact_profile');
    const erased = await callAs(['tenant_admin'], 'POST', ':erase', { reason: 'asked for' });
    expect(erased.status, JSON.stringify(erased.body)).to.equal(200);
    expect(erased.body).to.include({ finished: true });
    expect(await everywhere()).to.deep.equal([]);
    expect((await callAs(['tenant_admin'], 'GET', '')).status).to.equal(404);
  });

  it('A14: what the platform delivers again or late brings nothing back, and what is new begins anew', async () => {
    await send(click);
    const late = eventOf('late-1', 'contact.updated', { displayName: 'Late' }, new Date(Date.now() - 60_000));
    await send(late);
    await handled(late.eventId, 'dismissed');
    expect(await everywhere()).to.deep.equal([]);
    const next = eventOf('next-1', 'contact.entered', { displayName: 'Next' });
    await send(next);
    await handled(next.eventId, 'processed');
    const { status, body } = await callAs(['tenant_admin'], 'GET', '');
    expect(status).to.equal(200);
    expect(body).to.include({ displayName: 'Next' });
  });

  it('A14: no workflow has a contact in its input, memo, search attributes or history', async () => {
    const seen: string[] = [];
    for await (const { workflowId, text } of historiesOf(stack.temporal.client)) {
      for (const id of tenant.contactIds) expect(text, workflowId).not.to.contain(id);
      seen.push(workflowId.split(':')[0] ?? '');
    }
    expect(seen).to.include.members(['dispatch', 'poll', 'inbox', 'install']);
  });
});
