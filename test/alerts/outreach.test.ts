import { randomUUID } from 'node:crypto';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { expect } from 'chai';
import type { Campaign } from '#domain/api/campaign.ts';
import { createNonce } from '#domain/signature.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { rehearse } from '../support/alerts/rehearsal.ts';
import { isWhole } from '../support/extent.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { readMetrics } from '../support/http/metrics.ts';
import { draftCampaign, sendCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { signedCall, type TestIntegration } from '../support/services/bff.ts';
import { installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';
import { taskQueues } from '#temporal.config.ts';
import { outreachSweepScheduleId } from '#workflows/contracts/sweep-outreach.ts';

const followed = (eventId: string) => ({
  eventId,
  eventType: 'contact.followed' as const,
  occurredAt: new Date().toISOString(),
  scope: { serviceNumberId: 'sn-alerts' },
  data: { contactId: `c-${eventId}`, serviceNumberId: 'sn-alerts' },
});

const reply = { type: 'Postback', label: 'Ask', data: { event: 'InboundReason' } };
/** Its button needs an entry source. */
const asking = { type: 'buttons', title: 'Welcome', text: 'Hello', actions: [reply] };

/** Each test injects the fault that an alert is for, takes the step of the runbook, and scrapes before, during and after. */
describe('alerts of outreach', function () {
  this.timeout(180_000);
  const stack = useStack({ services: ['sandbox', 'backend', 'bff'] });
  const bff = rehearse('bff', () => stack.metrics.bff);
  const backend = rehearse('backend', () => stack.metrics.backend);
  let tenant: TestTenant;
  let signer: TestIntegration;
  before(async () => {
    tenant = await installTenant(stack, { tenantId: 'alerts', serviceNumberId: 'sn-alerts', contacts: 3 });
    signer = await signerOf(tenant);
  });
  afterEach(async function () {
    await tenant.sandbox.put('/sandbox/faults', { faults: [] });
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  const webhook = (event: object, options: Parameters<typeof signedCall>[4] = {}) =>
    signedCall({ url: stack.addresses.bff }, '/webhook', signer, event, options);
  const taken = async () => expect((await webhook(followed(randomUUID()))).status).to.equal(200);
  const metric = async (name: string) => (await readMetrics(stack.metrics.backend)).get(name) ?? 0;
  const sumOf = async (name: string) =>
    [...(await readMetrics(stack.metrics.backend))]
      .filter(([series]) => series.startsWith(name))
      .reduce((sum, [, count]) => sum + count, 0);
  const fault = (given: object) => tenant.sandbox.put('/sandbox/faults', { faults: [given] });
  const outreach = () => stack.database.connect('outreach', 'owner');
  const campaignOf = (id: string) => tenant.api.get<Campaign>(`/campaigns/${id}`);

  it('the backend is down: webhooks are not taken until it is back', async () => {
    const watched = [
      [backend, 'ServiceDown'],
      [bff, 'WebhooksUnavailable'],
      [bff, 'HttpErrors'],
    ] as const;
    const scrape = async () => {
      for (const [rehearsal, alert] of watched) await rehearsal.scrape(alert);
    };
    await taken();
    await scrape();
    await stack.kill('backend');
    expect((await webhook(followed(randomUUID()))).status).to.equal(503);
    expect(await tenant.api.get('/campaigns').catch(({ status }: { status: number }) => status)).to.equal(503);
    await scrape();
    await stack.restart('backend');
    await taken();
    await scrape();
  });

  if (!isWhole(import.meta.url)) {
    bff.fireAndClear(['WebhooksUnavailable', 'HttpErrors']);
    backend.fireAndClear(['ServiceDown']);
    return;
  }

  it('a run cannot go on with this release: its workflow tasks fail until it is terminated', async () => {
    const failures = () => sumOf('temporal_workflow_task_execution_failed_total');
    await backend.scrape('WorkflowTasksFail');
    const before = await failures();
    const handle = await stack.temporal.client.workflow.start('ofAnotherRelease', {
      taskQueue: taskQueues.outreach,
      workflowId: randomUUID(),
    });
    await eventually('its workflow task fails', async () => (await failures()) > before);
    await handle.terminate();
    // What has failed until here: a scrape before would race against the next attempt.
    await backend.scrape('WorkflowTasksFail');
    await backend.scrape('WorkflowTasksFail');
  });

  it('the backend is slow: what waits for it takes seconds, until it goes on', async () => {
    const campaigns = () => tenant.api.get<{ items: unknown[] }>('/campaigns');
    await campaigns();
    await bff.scrape('HttpSlow');
    stack.child('backend').kill('SIGSTOP');
    const waiting = campaigns();
    const until = Date.now() + 2600;
    await eventually('it has waited for a while', () => Date.now() >= until);
    stack.child('backend').kill('SIGCONT');
    expect((await waiting).items).to.be.an('array');
    await bff.scrape('HttpSlow');
    await Promise.all(Array.from({ length: 4 }, campaigns));
    await bff.scrape('HttpSlow');
  });

  it('a secret is out of sync, and a sender repeats its requests', async () => {
    await bff.scrape('WebhooksUnauthorized');
    expect((await webhook(followed(randomUUID()), { secret: 'of-before-the-rotation' })).status).to.equal(401);
    await bff.scrape('WebhooksUnauthorized');
    await taken();
    await bff.scrape('WebhooksUnauthorized');
    await bff.scrape('WebhooksReplayed');
    const event = followed(randomUUID());
    const nonce = createNonce();
    await webhook(event, { nonce });
    expect((await webhook(event, { nonce })).body['code']).to.equal('nonce_replayed');
    await bff.scrape('WebhooksReplayed');
    await taken();
    await bff.scrape('WebhooksReplayed');
  });

  it('the platform does not get our responses, and sends every event again', async () => {
    await taken();
    await backend.scrape('InboxDuplicates');
    const event = followed(randomUUID());
    for (let delivery = 0; delivery < 4; delivery += 1) await webhook(event);
    await backend.scrape('InboxDuplicates');
    await taken();
    await backend.scrape('InboxDuplicates');
  });

  it('the backend does not know an integration that the BFF knows', async () => {
    await backend.scrape('InboxUnknownIntegration');
    const set = (status: string) => outreach()('tenant_integration').where({ tenant_id: 'alerts' }).update({ status });
    const [{ status }] = await outreach()('tenant_integration').where({ tenant_id: 'alerts' }).select('status');
    await set('UNINSTALLED');
    await webhook(followed(randomUUID()));
    await backend.scrape('InboxUnknownIntegration');
    await set(status);
    await taken();
    await backend.scrape('InboxUnknownIntegration');
  });

  it('an event fails, and somebody dismisses it', async () => {
    await backend.scrape('InboxEventsFailed');
    const event = followed(randomUUID());
    await webhook(event);
    const stored = () => outreach()('event_inbox').where({ event_id: event.eventId });
    await eventually('it is processed', async () => (await stored().first('status'))?.status === 'processed');
    await stored().update({ status: 'failed', error: 'for the test' });
    await backend.scrape('InboxEventsFailed');
    await tenant.api.post(`/event-inbox/${event.eventId}:dismiss`, { reason: 'understood' });
    expect(await metric('inbox_events{status="failed"}')).to.equal(0);
    await backend.scrape('InboxEventsFailed');
  });

  it('the inbox is not drained, because the service lacks a right, until it is granted again', async () => {
    await eventually('nothing waits', async () => (await metric('inbox_drain_lag_seconds')) === 0);
    await backend.scrape('InboxLagging');
    const role = new URL(stack.settings.DATABASE_URL_BACKEND).username;
    await outreach().raw('revoke update on event_inbox from ??', [role]);
    const { eventType, scope, occurredAt, ...event } = followed(randomUUID());
    const command = {
      tenantIntegrationId: signer.tenantIntegrationId,
      eventId: event.eventId,
      eventType,
      serviceNumberId: scope.serviceNumberId,
      payload: JSON.stringify({ eventType, scope, occurredAt, ...event }),
      occurredAt,
    };
    // As it is a minute after it came.
    await storeEvents(outreach(), [command], 2, new Date(Date.now() - 60_000));
    expect(await metric('inbox_drain_lag_seconds')).to.be.greaterThan(30);
    await backend.scrape('InboxLagging');
    await outreach().raw('grant update on event_inbox to ??', [role]);
    await eventually('it was drained', async () => (await metric('inbox_drain_lag_seconds')) === 0);
    await backend.scrape('InboxLagging');
  });

  it('the response to an A1 gets lost, and an operator finds out what became of it', async () => {
    for (const alert of ['SubTasksUnknown', 'SubTasksAmbiguous']) await backend.scrape(alert);
    await fault({ route: 'A1', mode: 'lost-answer', count: 1 });
    const { id } = await draftCampaign(tenant, { name: 'Lost' });
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('a sub-task is unknown', async () => (await metric('subtasks_unknown')) === 1);
    for (const alert of ['SubTasksUnknown', 'SubTasksAmbiguous']) await backend.scrape(alert);
    const [subTask] = await subTasksOf(tenant, id);
    type Tasks = { items: { taskId: string; name: string }[] };
    const { items } = await tenant.sandbox.get<Tasks>('/sandbox/tasks?tenant=alerts');
    const taskId = items.find(({ name }) => name === 'Lost')?.taskId;
    await tenant.api.post(`/campaigns/${id}/tasks/${subTask?.key}:resolve`, { outcome: 'sent', taskId });
    await eventually('none is unknown', async () => (await metric('subtasks_unknown')) === 0);
    for (const alert of ['SubTasksUnknown', 'SubTasksAmbiguous']) await backend.scrape(alert);
  });

  it('the platform rejects our signatures, and the campaign is resumed once they fit', async () => {
    await backend.scrape('SubTasksUnauthorized');
    await fault({ route: 'A1', mode: 'status', status: 401, count: 2 });
    const { id } = await draftCampaign(tenant, {});
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('it is paused', async () => (await campaignOf(id)).status === 'paused');
    await backend.scrape('SubTasksUnauthorized');
    await tenant.api.post(`/campaigns/${id}:resume`);
    await eventually('it is completed', async () => (await campaignOf(id)).status === 'completed');
    await backend.scrape('SubTasksUnauthorized');
  });

  it('the platform takes seconds for an A1, until it does not', async () => {
    await backend.scrape('PlatformSlow');
    await fault({ route: 'A1', mode: 'slow', delayMs: 5500, count: 1 });
    await sendCampaign(tenant, {});
    await backend.scrape('PlatformSlow');
    for (let count = 0; count < 2; count += 1) await sendCampaign(tenant, {});
    await backend.scrape('PlatformSlow');
  });

  it('the platform answers no A2, and the campaign goes on by itself once it does', async () => {
    await backend.scrape('CampaignStands');
    await fault({ route: 'A2', mode: 'reset' });
    const { id } = await draftCampaign(tenant, {});
    await tenant.api.post(`/campaigns/${id}:send`);
    const ofIt = () => outreach()('broadcast_task').where({ campaign_id: id });
    await eventually('a call has failed', async () => (await ofIt().first('failing_with'))?.failingWith != null);
    // As it is ten minutes after the first.
    await ofIt().update({ failing_since: new Date(Date.now() - 600_000) });
    const standing = 'campaigns_standing{phase="poll",reason="platform_no_response",waits_for="service"}';
    expect(await metric(standing)).to.equal(1);
    await backend.scrape('CampaignStands');
    await tenant.sandbox.put('/sandbox/faults', { faults: [] });
    await eventually('it goes on', async () => (await metric(standing)) === 0, { timeoutMs: 90_000 });
    await eventually('it is completed', async () => (await campaignOf(id)).status === 'completed');
    await backend.scrape('CampaignStands');
  });

  it('the platform takes no entry source, and an automation goes on once it does', async () => {
    await backend.scrape('AutomationStands');
    await fault({ route: 'F1', mode: 'reset' });
    const body = {
      name: 'Welcome',
      serviceNumberId: 'sn-alerts',
      trigger: { event: 'contact.followed' },
      steps: [{ messages: [asking] }],
    };
    const { automationId } = await tenant.api.post<{ automationId: string }>('/automations', body);
    await tenant.api.post(`/automations/${automationId}:activate`);
    await tenant.sandbox.post('/sandbox/contacts:act', {
      serviceNumberId: 'sn-alerts',
      action: 'follow',
      contactIds: tenant.contactIds.slice(0, 1),
    });
    const steps = () => outreach()('automation_step').where({ automation_id: automationId });
    await eventually('the message is due', async () => (await steps()).length === 1, { timeoutMs: 90_000 });
    // As it is ten minutes after it was due.
    await steps().update({ due_at: new Date(Date.now() - 600_000) });
    expect(await metric('automations_overdue_seconds')).to.be.greaterThan(300);
    await backend.scrape('AutomationStands');
    await tenant.sandbox.put('/sandbox/faults', { faults: [] });
    const overdue = () => metric('automations_overdue_seconds');
    await eventually('it was submitted', async () => (await overdue()) === 0, { timeoutMs: 150_000 });
    await backend.scrape('AutomationStands');
  });

  it('the platform confirms no end of an entry source, until it does', async () => {
    const failures = () => sumOf('temporal_activity_execution_failed_total');
    const before = await failures();
    const { campaign } = await sendCampaign(tenant, { messages: [asking] });
    await backend.scrape('ActivitiesKeepFailing');
    await fault({ route: 'F3', mode: 'reset' });
    await tenant.api.post(`/campaigns/${campaign.id}:close`);
    await eventually('its end failed twice', async () => (await failures()) > before + 1, { timeoutMs: 60_000 });
    await backend.scrape('ActivitiesKeepFailing');
    await tenant.sandbox.put('/sandbox/faults', { faults: [] });
    const unconfirmed = () => outreach()('entry_source').where({ campaign_id: campaign.id }).whereNull('ended_at');
    await eventually('it is confirmed', async () => (await unconfirmed()).length === 0, { timeoutMs: 90_000 });
    await backend.scrape('ActivitiesKeepFailing');
  });

  it('workflows get lost, and the sweep starts them again', async () => {
    await backend.scrape('SweepKeepsStarting');
    // Until then the platform is asked every second or so.
    await tenant.sandbox.put('/sandbox/behaviour', { sendDurationMs: 60_000 });
    const { id } = await draftCampaign(tenant, {});
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('it is at the platform', async () => (await subTasksOf(tenant, id))[0]?.status === 'sending');
    await tenant.sandbox.put('/sandbox/behaviour', { sendDurationMs: 300 });
    const { client } = stack.temporal;
    const started = async () =>
      [...(await readMetrics(stack.metrics.backend))]
        .filter(([name]) => name.startsWith('sweep_actions_total'))
        .reduce((total, [, value]) => total + value, 0);
    const before = await started();
    await client.workflow.getHandle(`poll:${id}`).terminate();
    // As it is a minute later: a sweep leaves alone what has only just been due.
    await outreach()('broadcast_task')
      .where({ campaign_id: id })
      .update({ next_poll_at: new Date(Date.now() - 60_000) });
    // The Schedule does the same as the workers, which are not waited for, and is counted the same.
    await client.schedule.getHandle(outreachSweepScheduleId).trigger(ScheduleOverlapPolicy.BUFFER_ONE);
    await eventually('the sweep has started it', async () => (await started()) > before, { timeoutMs: 120_000 });
    await backend.scrape('SweepKeepsStarting');
    await sendCampaign(tenant, {});
    await backend.scrape('SweepKeepsStarting');
  });

  bff.fireAndClear(['WebhooksUnavailable', 'HttpErrors', 'HttpSlow', 'WebhooksUnauthorized', 'WebhooksReplayed']);
  backend.fireAndClear([
    'ServiceDown',
    'InboxDuplicates',
    'InboxUnknownIntegration',
    'InboxEventsFailed',
    'InboxLagging',
    'SubTasksUnknown',
    'SubTasksAmbiguous',
    'SubTasksUnauthorized',
    'CampaignStands',
    'AutomationStands',
    'PlatformSlow',
    'SweepKeepsStarting',
    'WorkflowTasksFail',
    'ActivitiesKeepFailing',
  ]);
});
