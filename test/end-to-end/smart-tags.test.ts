import { expect } from 'chai';
import { rows } from '#db/database.ts';
import type { Campaign, Click, Progress, SubTask } from '#domain/api/campaign.ts';
import type { InboxItem } from '#domain/api/inbox.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Backtest, Rule, RuleVersion } from '#domain/api/rules.ts';
import type { ContactTag, Tag } from '#domain/api/tags.ts';
import { eventually } from '../support/time/eventually.ts';
import { inOrder } from '../support/in-order.ts';
import { freshTenantId } from '../support/services/shared-stack.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';
import { useSharedStack } from '../support/fixtures/stack.ts';

const serviceNumberId = 'sn-smart-tags';
const dayMs = 86_400_000;

describe('smart tags, end to end', function () {
  this.timeout(120_000);
  inOrder(this);
  const stack = useSharedStack();
  let tenant: TestTenant;
  let campaign: Campaign;
  let task: SubTask;
  const tags: Record<string, Tag> = {};
  const rules: Record<string, Rule> = {};

  before(async () => {
    tenant = await installTenant(stack, { tenantId: freshTenantId(), serviceNumberId, contacts: 4 });
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  async function createRule(name: string, more: object): Promise<void> {
    const tag = await tenant.api.post<Tag>('/tags', { name, serviceNumberId, kind: 'permanent' });
    const body = { name, matchCondition: { all: [] }, targetTagId: tag.tagId, status: 'active', ...more };
    tags[name] = tag;
    rules[name] = await tenant.api.post<Rule>('/smart-tag-rules', body);
  }

  const countOf = async (name: string) => (await tenant.api.get<Tag>(`/tags/${tags[name]?.tagId}`)).contactCount;
  const contact = (index: number) => tenant.contactIds[index] ?? '';
  const click = (index: number, more: object = {}) =>
    tenant.sandbox.post('/sandbox/clicks', {
      taskId: task.taskId,
      contactId: contact(index),
      actionIndex: 0,
      ...more,
    });

  it('S0-FL7: a click, a conversation and its end give the tags of their rules, each once', async () => {
    const ask = { field: 'bizEventCode', op: 'prefix', value: 'as' };
    await createRule('clicked', { triggerEvent: 'notice.clicked', matchCondition: ask });
    await createRule('opened', { triggerEvent: 'session.created' });
    const long = { field: 'durationSeconds', op: 'gte', value: 60 };
    await createRule('closed', { triggerEvent: 'session.closed', matchCondition: long });
    const { api, sandbox } = tenant;
    const data = { event: 'InboundReason', bizEventCode: 'ask' };
    const draft = await api.post<Campaign>('/campaigns', {
      name: 'Ask us',
      serviceNumberId,
      messages: [{ type: 'buttons', title: 'Ask', text: 'us', actions: [{ type: 'Postback', label: 'Ask', data }] }],
      audience: { type: 'contacts', contactIds: tenant.contactIds },
      schedule: { type: 'immediate' },
    });
    campaign = await api.post<Campaign>(`/campaigns/${draft.id}:send`, {});
    await eventually('the campaign is completed', async () => {
      const { status } = await api.get<Progress>(`/campaigns/${campaign.id}/progress`);
      return status === 'completed';
    });
    const [only] = (await api.get<Page<SubTask>>(`/campaigns/${campaign.id}/tasks`)).items;
    if (!only) throw new Error('no sub-task');
    task = only;
    await click(0, { times: 3 });
    await click(0);
    await click(1);
    const session = await eventually('a conversation is opened', async () => {
      const { items } = await sandbox.get<{ items: { sessionId: string; contactId: string }[] }>('/sandbox/sessions');
      return items.find(({ contactId }) => contactId === contact(0));
    });
    await sandbox.post(`/sandbox/sessions/${session.sessionId}:close`, { durationSeconds: 90, messageCount: 3 });
    await eventually('every tag is given', async () => {
      const counts = [await countOf('clicked'), await countOf('opened'), await countOf('closed')];
      return counts.join() === '2,2,1';
    });
    const { hitCount, lastExecutedAt } = await api.get<Rule>(`/smart-tag-rules/${rules['clicked']?.ruleId}`);
    expect(hitCount).to.equal(2);
    expect(lastExecutedAt).to.be.a('string');
  });

  it('shows what followed each click: the tags that it gave, and the conversation', async () => {
    const { items } = await tenant.api.get<Page<Click>>(`/campaigns/${campaign.id}/clicks`);
    const { items: sessions } = await tenant.sandbox.get<{ items: { sessionId: string; contactId: string }[] }>(
      '/sandbox/sessions',
    );
    const found = items.map(({ contactId, followed: { tags: given, session } }) => [
      contactId,
      given.map(({ tagId }) => tagId).join(),
      session?.sessionId,
      session?.closedAt !== null,
    ]);
    const expected = [0, 1].map((index) => [
      contact(index),
      tags['clicked']?.tagId,
      sessions.find(({ contactId }) => contactId === contact(index))?.sessionId,
      index === 0,
    ]);
    expect(found).to.have.deep.members(expected);
  });

  it('S0-AR5: resolves a tag hop by hop: tag → rule version → event → campaign → button', async () => {
    const { api } = tenant;
    const ruleId = rules['clicked']?.ruleId;
    const { items } = await api.get<Page<ContactTag>>(`/contacts/${serviceNumberId}/${contact(1)}/tags`);
    const origin = items.find(({ name }) => name === 'clicked')?.origin;
    expect(origin).to.deep.include({ ruleId, ruleVersion: 1, campaignId: campaign.id, taskId: task.taskId });
    expect(origin).to.deep.include({ actionIndex: 0, bizEventCode: 'ask', assignedBy: null });
    const versions = await api.get<Page<RuleVersion>>(`/smart-tag-rules/${ruleId}/versions`);
    expect(versions.items.find(({ version }) => version === origin?.ruleVersion)?.matchCondition).to.deep.equal({
      field: 'bizEventCode',
      op: 'prefix',
      value: 'as',
    });
    const event = await api.get<InboxItem>(`/event-inbox/${origin?.eventId}`);
    expect(event).to.include({ eventType: 'notice.clicked', status: 'processed' });
    const { messages } = await api.get<Campaign>(`/campaigns/${origin?.campaignId}`);
    const [card] = messages ?? [];
    expect(card?.type === 'buttons' && card.actions[origin?.actionIndex ?? -1]?.label).to.equal('Ask');
  });

  it('backtests a rule over past events and finds exactly the tagged contacts', async () => {
    const period = { from: new Date(Date.now() - dayMs).toISOString(), to: new Date(Date.now() + dayMs).toISOString() };
    const expected = { clicked: [0, 1], opened: [0, 1], closed: [0] };
    for (const [name, indexes] of Object.entries(expected)) {
      const path = `/smart-tag-rules/${rules[name]?.ruleId}:backtest`;
      const { contacts, contactIds } = await tenant.api.post<Backtest>(path, period);
      expect(contacts, name).to.equal(indexes.length);
      expect(contactIds.toSorted(), name).to.deep.equal(indexes.map(contact));
    }
  });

  it('runs the Schedules no-response-scan and expire-temporary-tags', async () => {
    const { client } = stack.temporal;
    await createRule('quiet', { triggerEvent: 'no_response_for_N_days', days: 3, campaignId: campaign.id });
    const expiresAt = new Date(Date.now() + dayMs).toISOString();
    const body = { name: 'Short', serviceNumberId, kind: 'temporary', expiresAt };
    const short = await tenant.api.post<Tag>('/tags', body);
    const database = stack.database.connect('outreach');
    await rows(database, 'update tag set expires_at = now() where tag_id = :tagId', { tagId: short.tagId });
    // Moves everything four days into the past.
    await rows(
      database,
      `update broadcast_task set finished_at = finished_at - interval '4 days' where campaign_id = :id`,
      { id: campaign.id },
    );
    for (const table of ['click_attribution set clicked_at = clicked_at', 'conversation set opened_at = opened_at'])
      await rows(database, `update ${table} - interval '4 days' where campaign_id = :id`, { id: campaign.id });
    // BUFFER_ONE, because a run in progress may have looked before the change.
    for (const id of ['no-response-scan', 'expire-temporary-tags'])
      await client.schedule.getHandle(id).trigger('BUFFER_ONE');
    await eventually('both have run', async () => {
      const [stored] = await rows<{ status: string }>(database, 'select status from tag where tag_id = :tagId', {
        tagId: short.tagId,
      });
      return stored?.status === 'expired' && (await countOf('quiet')) === 2;
    });
    const { policies } = await client.schedule.getHandle('no-response-scan').describe();
    expect(policies.catchupWindow).to.equal(15 * 60_000);
  });
});
