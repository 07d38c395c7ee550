import { randomUUID } from 'node:crypto';
import { forEachLimited } from '#activities/outreach/concurrency.ts';
import { createLauncher } from '#api/backend/launch.ts';
import { createIntake } from '#api/backend/routes/inbox/intake.ts';
import { type Database, rows } from '#db/database.ts';
import { CONTACTS_PER_SUB_TASK } from '#db/outreach/sends/splitting.ts';
import type { IntakeCommand } from '#domain/api/events.ts';
import type { Stack } from '#test/support/services/stack.ts';
import { contactIdOf, type TaggedContacts } from './contacts.ts';

const CLICKS_PER_REQUEST = 1000;
const REQUESTS_AT_ONCE = 2;

/** Without a common factor with a power of ten, so that its multiples visit each contact once, in no order. */
const STRIDE = 7_654_321;

/** A campaign that was sent to the first `contacts` contacts. */
export interface SentCampaign extends TaggedContacts {
  campaignId: string;
  contacts: number;
}

interface SubTask {
  tenantIntegrationId: string;
  taskId: string;
  key: string;
}

/** In order of their contacts. */
export const subTasksOf = (database: Database, { tenantId, campaignId }: SentCampaign) =>
  rows<SubTask>(
    database,
    `select i.tenant_integration_id, t.task_id, t.key from broadcast_task t join tenant_integration i using (tenant_id)
     where tenant_id = :tenantId and t.campaign_id = :campaignId and i.status = 'ACTIVE' order by t.chunk`,
    { tenantId, campaignId },
  );

export function clickOn(
  sent: SentCampaign,
  { tenantIntegrationId, taskId, key }: SubTask,
  contactId: string,
): IntakeCommand {
  const { campaignId, serviceNumberId } = sent;
  const at = new Date().toISOString();
  const data = {
    appId: 'outreach',
    event: 'Broadcast',
    campaignId,
    subTaskKey: key,
    messageIndex: 0,
    bizEventCode: 'buy',
  };
  const action = { type: 'Postback', label: 'Buy', data: JSON.stringify(data) };
  const noticeId = `notice-${contactId}`;
  return {
    tenantIntegrationId,
    eventId: randomUUID(),
    eventType: 'notice.clicked',
    occurredAt: at,
    serviceNumberId,
    payload: JSON.stringify({ taskId, noticeId, actionIndex: 0, action, contactId, serviceNumberId, clickedAt: at }),
  };
}

/** Stores clicks of this many contacts, all over the audience, by the intake of the backend, which wakes the drain. */
export async function storeClicks(stack: Stack, sent: SentCampaign, clicks: number): Promise<void> {
  const database = stack.database.connect('outreach');
  const intake = createIntake({
    database,
    launcher: createLauncher(stack.temporal.client),
    partitions: stack.settings.INBOX_PARTITIONS,
    logger: console,
  });
  const subTasks = await subTasksOf(database, sent);
  const clickNumber = (click: number): IntakeCommand => {
    const contact = (click * STRIDE) % sent.contacts;
    const subTask = subTasks[Math.floor(contact / CONTACTS_PER_SUB_TASK)];
    if (!subTask) throw new Error(`${contact} is in none of ${subTasks.length} sub-tasks`);
    return clickOn(sent, subTask, contactIdOf(sent.serviceNumberId, contact + 1));
  };
  const requests = Array.from({ length: clicks / CLICKS_PER_REQUEST }, (_, request) => request * CLICKS_PER_REQUEST);
  await forEachLimited(requests, REQUESTS_AT_ONCE, async (first) => {
    const clicked = Array.from({ length: CLICKS_PER_REQUEST }, (_, index) => clickNumber(first + index));
    const stored = await intake(clicked);
    const kept = stored.filter(({ kind }) => kind === 'stored').length;
    if (kept !== clicked.length) throw new Error(`Only ${kept} of ${clicked.length} clicks were stored`);
  });
}
