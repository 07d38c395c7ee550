import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Campaign, Progress, SubTask } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Rule } from '#domain/api/rules.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { JsonClient } from '#scripts/demo/client.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { ada } from '../support/browser/people.ts';
import { openShop } from '../support/services/shop.ts';
import { installTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';
import { startCollector } from '../support/tracing/collector.ts';

const serviceNumberId = 'sn-traced';

/** The only sub-task of a campaign, once it is completed. */
async function sentTask(api: JsonClient, campaignId: string): Promise<SubTask> {
  await eventually('the campaign is completed', async () => {
    const { status } = await api.get<Progress>(`/campaigns/${campaignId}/progress`);
    return status === 'completed';
  });
  const [only] = (await api.get<Page<SubTask>>(`/campaigns/${campaignId}/tasks`)).items;
  if (!only) throw new Error('no sub-task');
  return only;
}

describe('traces', function () {
  this.timeout(180_000);
  const collector = fixture(async () => {
    const value = await startCollector();
    return { value, close: () => value.close() };
  });
  const stack = useStack(() => ({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' },
  }));
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  const logged = (service: string) =>
    readFileSync(join(stack.dataFolder, 'logs', `${service}.log`), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('follow an event from the webhook through BFF and backend, the inbox and a rule to the tag', async () => {
    const { api, sandbox, contactIds } = await installTenant(stack, {
      tenantId: 'traced',
      serviceNumberId,
      contacts: 1,
    });
    const tag = await api.post<Tag>('/tags', { name: 'Asked', serviceNumberId, kind: 'permanent' });
    await api.post<Rule>('/smart-tag-rules', {
      name: 'Asked',
      triggerEvent: 'notice.clicked',
      matchCondition: { all: [] },
      targetTagId: tag.tagId,
      status: 'active',
    });
    const data = { event: 'Broadcast', bizEventCode: 'ask' };
    const draft = await api.post<Campaign>('/campaigns', {
      name: 'Ask us',
      serviceNumberId,
      messages: [{ type: 'buttons', title: 'Ask', text: 'us', actions: [{ type: 'Postback', label: 'Ask', data }] }],
      audience: { type: 'contacts', contactIds },
      schedule: { type: 'immediate' },
    });
    const task = await sentTask(api, (await api.post<Campaign>(`/campaigns/${draft.id}:send`, {})).id);
    await sandbox.post('/sandbox/clicks', { taskId: task.taskId, contactId: contactIds[0], actionIndex: 0 });
    expect(await collector.lineOf('tag')).to.equal(
      'tag@backend < rule@backend < inbox notice.clicked@backend < POST /webhook@bff',
    );
    process.stdout.write(`${collector.treeOf('tag')}\n`);
    const tagged = collector.spans.find(({ name }) => name === 'tag');
    const intake = collector.spans.findLast(({ name }) => name === 'POST /internal/v1/inbox');
    expect(intake?.traceId).to.equal(tagged?.traceId);
    expect(await collector.lineOf('POST /internal/v1/inbox')).to.equal(
      'POST /internal/v1/inbox@backend < POST@bff < store events@bff < POST /webhook@bff',
    );
    const webhook = collector.spans.find(
      ({ name, traceId }) => name === 'POST /webhook' && traceId === tagged?.traceId,
    );
    const requestId = webhook?.attributes?.find(({ key }) => key === 'requestId')?.value.stringValue;
    const line = await eventually('the webhook is in the log', () => {
      const served = logged('bff').filter(({ path }) => path === '/webhook');
      return served
        .flatMap(({ requests, ...one }) => (requests as Record<string, unknown>[] | undefined) ?? [one])
        .find((one) => one['requestId'] === requestId);
    });
    expect(line['traceId']).to.equal(tagged?.traceId);
  });

  it('follow a payment from pay through workflow, gateway and callback to the commit', async () => {
    const shop = await openShop(stack, ada);
    await shop.payBoxes('traced');
    const run = 'RunWorkflow:payOrder@orders < UpdateWithStartWorkflow:pay@orders < ';
    const pay = 'POST /transaction/v1/user/order/:id/pay@orders';
    const activity = (name: string) => `RunActivity:${name}@orders < StartActivity:${name}@orders`;
    expect(await collector.lineOf('commit payment')).to.equal(
      `commit payment@orders < ${activity('lookAtPayment')} < ${run}${pay}`,
    );
    expect(await collector.lineOf('payment callback')).to.equal(
      `payment callback@orders < ${activity('beginPayment')} < ${run}${pay}`,
    );
    process.stdout.write(`${collector.treeOf('commit payment')}\n`);
    const gateway = collector.spans.filter(({ name, service }) => name === 'POST' && service === 'orders');
    const paid = collector.spans.find(({ name }) => name === 'commit payment');
    expect(gateway.some(({ traceId }) => traceId === paid?.traceId)).to.equal(true);
    const served = await eventually('the pay is in the log', () =>
      logged('orders').find(({ path }) => String(path).endsWith('/pay')),
    );
    expect(served['traceId']).to.equal(paid?.traceId);
    expect(served['requestId']).to.be.a('string');
  });

  it('are named, beside the request, in every line of the log about one', () => {
    for (const service of ['bff', 'backend', 'orders']) {
      const lines = logged(service).flatMap(({ requests, ...line }) =>
        requests === undefined ? [line] : (requests as Record<string, unknown>[]),
      );
      const ofRequests = lines.filter((line) => 'requestId' in line || 'path' in line);
      expect(ofRequests.length, service).to.be.greaterThan(2);
      expect(ofRequests.filter(({ requestId, traceId }) => !requestId || !traceId)).to.deep.equal([]);
    }
  });
});
