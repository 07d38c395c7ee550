import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { createSweepActivities } from '#activities/outreach/sweep.ts';
import { createAutomation } from '#commands/outreach/automations/create-automation.ts';
import { moveAutomation } from '#commands/outreach/automations/move-automation.ts';
import { findAutomation } from '#db/outreach/automations/automations.ts';
import { automationBodySchema } from '#domain/api/automations.ts';
import { collectHistories, writeHistories } from '#scripts/capture/histories.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { useOutreachWorker, usePlatform } from '#test/support/fixtures/outreach.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { card, sentBy } from '#test/support/outreach/variant-sends.ts';
import { currentDetails } from '#test/support/services/outreach-worker.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { automationsWorkflowId } from '#workflows/contracts/drive-automations.ts';

describe('driveAutomations', function () {
  this.timeout(60_000);
  const database = useDatabase('outreach');
  const platform = usePlatform();
  const worker = useOutreachWorker(database, { platform });
  let tenant: TestTenant;
  before(async () => {
    tenant = await seedTenant(database, testEncryption);
  });

  it('has an id that staff can guess', () => {
    expect(automationsWorkflowId({ tenantId: 't', serviceNumberId: 'sn' })).to.equal('automations:t:sn');
  });

  it('sends the welcome to a new follower, once; RECORD_HISTORIES=on keeps its runs for test/replay', async () => {
    const { tenantId } = tenant;
    const author = { tenantId, userId: 'operator', requestId: null };
    const reply = { type: 'Postback' as const, label: 'Ask', data: { event: 'InboundReason' } };
    const body = automationBodySchema.parse({
      name: 'Welcome',
      serviceNumberId: 'sn-1',
      trigger: { event: 'contact.followed' },
      steps: [{ messages: [card('Hello'), { ...card('Ask'), actions: [reply] }] }],
    });
    const given = { now: new Date(), appId: 'outreach', automationsPerTenant: 10 };
    const { automationId } = await createAutomation(database, author, body, given);
    await moveAutomation(database, author, automationId, {
      action: 'activate',
      now: new Date(),
      appId: 'outreach',
      lookMs: null,
    });
    const number = { tenantId, serviceNumberId: 'sn-1' };
    await worker.launcher.automations(number, { wake: true });
    await eventually('the entry source is there', () => platform.of('F1').length === 1);
    const handle = worker.client.workflow.getHandle(automationsWorkflowId(number));
    expect(await handle.result()).to.deep.equal({ claimed: 0 });

    const inbox = inboxOf(database);
    const followed = eventCommand(
      tenant,
      'contact.followed',
      { contactId: 'new', serviceNumberId: 'sn-1' },
      { eventId: randomUUID(), occurredAt: new Date().toISOString() },
    );
    await inbox.store(followed);
    await inbox.handle();
    await inbox.store(followed);
    await inbox.handle();
    const sweep = () => createSweepActivities(worker.deps).sweepOutreachRows();
    await eventually('the card is sent', async () => {
      await sweep();
      return platform.of('A1').length > 0;
    });
    await eventually('the entry is sent', async () => {
      const found = await findAutomation(database, { tenantId, automationId });
      return found?.counts.sent === 1;
    });
    expect(platform.of('A1').map((call) => sentBy(call).contactIds)).to.deep.equal([['new']]);
    const [call] = platform.of('F1');
    expect(call?.body).to.deep.include({ name: 'Welcome' });
    const { id: reason } = { ...(call?.body['reason'] as { id: string }) };
    expect(reason).to.equal(automationId);
    await eventually('its task was polled', () => platform.of('A2').length > 0);
    await eventually('it says what comes next', async () =>
      /^(Looked at again at|Nothing is due soon)/.test(
        (await currentDetails(worker.client, automationsWorkflowId(number))) ?? '',
      ),
    );
    const { searchAttributes } = await handle.describe();
    expect(searchAttributes).to.deep.include({ TenantId: [tenantId] });
    if (process.env['RECORD_HISTORIES'] === 'on')
      writeHistories(
        join(projectFolder, 'test/histories'),
        (await collectHistories(worker.client)).filter(({ type }) => type === 'driveAutomations'),
      );
  });
});
