import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { type Database, rows } from '#db/database.ts';
import { DemoError, type JsonClient } from './client.ts';
import { finishedCampaign, messages, tenant } from './content.ts';
import { inDatabase } from './database.ts';
import { until } from './patience.ts';

const DAY_MS = 86_400_000;
/** Within the last seven days, the overview's default period. */
const AGO_MS = 6 * DAY_MS;
const AGO = '6 days';
const CLICK_SHARE = 0.18;
const AT_ONCE = 25;
/** Fewer means that an earlier start was interrupted while clicking. */
const ENOUGH_CLICKS = 300;

interface SentTask {
  taskId: string;
  contactIds: string[];
}

const readByHalf = ({ summary: { read, delivered } }: Campaign): boolean => read * 2 > delivered;

/** Reads come after the deliveries: the campaign is moved into the past once most of them are in. */
async function waitUntilRead(api: JsonClient, id: string): Promise<Campaign> {
  const read = () => api.get<Campaign>(`/campaigns/${id}`);
  await until('the finished campaign is read', async () => {
    const campaign = await read();
    return campaign.status === 'completed' && readByHalf(campaign);
  });
  return read();
}

/** Most clicks come within hours, some days later, as real ones do. */
function clickTime(sentAt: number, position: number, count: number): Date {
  const share = position / count;
  return new Date(sentAt + 60_000 + share ** 3 * (AGO_MS - 3_600_000));
}

export interface Click {
  taskId: string;
  contactId: string;
  actionIndex: number;
  clickedAt: string;
}

function clicksOf(tasks: SentTask[], sentAt: number): Click[] {
  const recipients = tasks.flatMap(({ taskId, contactIds }) => contactIds.map((contactId) => ({ taskId, contactId })));
  const clicking = recipients.filter((_, index) => (index * 7919) % 100 < CLICK_SHARE * 100);
  return clicking.map((recipient, position) => ({
    ...recipient,
    actionIndex: [0, 1, 1, 2][position % 4] ?? 0,
    clickedAt: clickTime(sentAt, position, clicking.length).toISOString(),
  }));
}

/** Every timestamp of a campaign that shows when it was sent. */
const instants = {
  campaign: ['created_at', 'sent_at', 'started_at', 'finished_at'],
  campaign_transition: ['at'],
  dispatch: ['created_at'],
  broadcast_task: ['created_at', 'submitted_at', 'started_at', 'finished_at', 'poll_until'],
  entry_source: ['created_at'],
};

const auditColumns =
  'actor, action, object_type, object_id, before, after, request_id, caller_request_id, audit_id, tenant_id';

/** Sealed entries cannot be moved: the tenant's are written again, and its chain begins anew. */
async function moveAudit(database: Database, campaignId: string): Promise<void> {
  const ofTenant = 'tenant_id = (select tenant_id from campaign where campaign_id = :campaignId)';
  await database.transaction(async (transaction) => {
    // An entry that is written meanwhile would be moved, and noted as unsealed twice.
    await transaction.raw('lock table audit_log in exclusive mode');
    for (const table of ['audit_seal', 'audit_unsealed', 'audit_chain'])
      await rows(transaction, `delete from ${table} where ${ofTenant}`, { campaignId });
    await rows(
      transaction,
      `with gone as (delete from audit_log where ${ofTenant} returning *)
       insert into audit_log (at, ${auditColumns})
       select case when object_type = 'campaign' and object_id = :campaignId then at - :ago::interval else at end as moved,
         ${auditColumns} from gone order by moved, audit_id`,
      { ago: AGO, campaignId },
    );
    await rows(transaction, `update audit_unsealed set noted_at = written_at where ${ofTenant}`, { campaignId });
  });
}

/** The one thing no interface offers and only the demonstration needs: a campaign sent some days ago. */
function moveBack(databaseUrl: string, campaignId: string): Promise<void> {
  return inDatabase(databaseUrl, async (database) => {
    for (const [table, columns] of Object.entries(instants))
      await database(table)
        .where('campaign_id', campaignId)
        .update(Object.fromEntries(columns.map((name) => [name, database.raw(`?? - ?::interval`, [name, AGO])])));
    // The platform knows the real times: another report from it would move the deliveries back to today.
    await database('broadcast_task').where('campaign_id', campaignId).update({ next_poll_at: null });
    await moveAudit(database, campaignId);
  });
}

/** False if the platform's governance withheld the card from this contact, who then cannot click. */
export async function click(sandbox: JsonClient, one: Click): Promise<boolean> {
  try {
    await sandbox.post('/sandbox/clicks', one);
    return true;
  } catch (error) {
    if (error instanceof DemoError && error.status === 409) return false;
    throw error;
  }
}

async function clickSince(sandbox: JsonClient, taskIds: string[], sentAt: number): Promise<void> {
  const tasks = await Promise.all(taskIds.map((taskId) => sandbox.get<SentTask>(`/sandbox/tasks/${taskId}`)));
  const clicks = clicksOf(tasks, sentAt);
  while (clicks.length > 0) await Promise.all(clicks.splice(0, AT_ONCE).map((one) => click(sandbox, one)));
}

async function send(api: JsonClient, tag: Tag): Promise<string> {
  const { id } = await api.post<Campaign>('/campaigns', {
    name: finishedCampaign,
    serviceNumberId: tenant.serviceNumberId,
    messages,
    audience: { type: 'app_tags', appTagIds: [tag.tagId], tagOperator: 'OR' },
    schedule: { type: 'immediate' },
  });
  await api.post(`/campaigns/${id}:send`, {});
  return id;
}

/** Actually sends a campaign to one tag's contacts, then moves it six days back and adds clicks since then. */
export async function seedFinishedCampaign(
  parties: { api: JsonClient; sandbox: JsonClient; databaseUrl: string },
  tag: Tag,
): Promise<void> {
  const { api, sandbox, databaseUrl } = parties;
  const { items } = await api.get<Page<Campaign>>(`/campaigns?q=${encodeURIComponent(finishedCampaign)}`);
  const sent = items.find(({ name, sentAt }) => name === finishedCampaign && sentAt);
  if (sent && sent.clickedContacts > ENOUGH_CLICKS) return;
  const { id, sentAt } = await waitUntilRead(api, sent?.id ?? (await send(api, tag)));
  if (sentAt && Date.now() - Date.parse(sentAt) < DAY_MS) await moveBack(databaseUrl, id);
  const subTasks = await api.get<Page<SubTask>>(`/campaigns/${id}/tasks?limit=200`);
  const taskIds = subTasks.items.flatMap(({ taskId }) => (taskId ? [taskId] : []));
  await clickSince(sandbox, taskIds, Date.now() - AGO_MS);
}
