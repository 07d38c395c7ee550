import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { type Database, rows } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import type { Take } from '#domain/api/audiences.ts';
import type { Schedule } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import type { Pace } from '#domain/api/pace.ts';
import type { Step } from '#domain/api/steps.ts';
import type { Variants } from '#domain/api/variants.ts';
import { insertRecipients } from './recipients.ts';

export interface TestTenant {
  tenantId: string;
  tenantIntegrationId: string;
  secret: string;
}

/** An installed tenant with one service number `sn-1`. */
export async function seedTenant(database: Database, encryption: Encryption): Promise<TestTenant> {
  const tenantId = `tenant-${randomUUID().slice(0, 8)}`;
  const tenantIntegrationId = `ti-${randomUUID().slice(0, 8)}`;
  const secret = `secret-${randomUUID()}`;
  await rows(database, `insert into tenant values (:tenantId, :external, 'Tenant', 'enterprise', 'active')`, {
    tenantId,
    external: uuidv7(),
  });
  await rows(
    database,
    `insert into tenant_integration (tenant_integration_id, tenant_id, secret_encrypted, webhook_url, status)
     values (:tenantIntegrationId, :tenantId, :sealed, 'http://bff.example/webhook', 'ACTIVE')`,
    { tenantIntegrationId, tenantId, sealed: encryption.encrypt(secret, tenantIntegrationId) },
  );
  await rows(database, `insert into service_number_catalog values (:tenantId, 'sn-1', 'Main', 'active')`, { tenantId });
  return { tenantId, tenantIntegrationId, secret };
}

const buyCard: Message = {
  type: 'buttons',
  title: 'Spring',
  text: 'New arrivals',
  actions: [
    { type: 'Postback', label: 'Buy', data: { bizEventCode: 'buy' } },
    { type: 'Url', label: 'More', url: 'https://shop.example/more' },
  ],
};

export interface TestSend {
  tenantId: string;
  campaignId: string;
  dispatchId: string;
  number: number;
  keys: string[];
}

export interface SendOptions {
  /** Contacts of each sub-task; their ids are `c<sub-task>-<n>`. */
  chunks: number[];
  messages?: Message[];
  /** A scheduled send. */
  at?: Date;
  status?: string;
}

/** A sent campaign as the send transaction leaves it: snapshot and sub-tasks, nothing submitted. */
export async function seedSend(database: Database, tenantId: string, options: SendOptions): Promise<TestSend> {
  const campaignId = uuidv7();
  const dispatchId = uuidv7();
  const schedule = options.at ? { type: 'scheduled', at: options.at.toISOString() } : { type: 'immediate' };
  await rows(
    database,
    `insert into campaign (campaign_id, tenant_id, service_number_id, name, channels, messages, audience, schedule,
       status, dispatches, created_by, sent_at)
     values (:campaignId, :tenantId, 'sn-1', 'Spring', '{default}', :messages::jsonb, '{"type":"contacts","contactIds":[]}', :schedule::jsonb,
       :status, 1, 'u1', now())`,
    {
      campaignId,
      tenantId,
      messages: JSON.stringify(options.messages ?? [buyCard]),
      schedule: JSON.stringify(schedule),
      status: options.status ?? (options.at ? 'scheduled' : 'sending'),
    },
  );
  const total = options.chunks.reduce((sum, size) => sum + size, 0);
  await rows(
    database,
    `insert into dispatch (dispatch_id, tenant_id, campaign_id, number, scheduled_at, audience_count, audience_hash,
       excluded, created_by, frozen_count, frozen_at)
     values (:dispatchId, :tenantId, :campaignId, 1, :at, :total, 'hash', '{}', 'u1', :total, now())`,
    { dispatchId, tenantId, campaignId, at: options.at ?? null, total },
  );
  const keys = options.chunks.map(() => uuidv7());
  const sizes = options.chunks;
  await rows(
    database,
    `insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count)
     select key, :tenantId, :campaignId, :dispatchId, ordinal - 1, 'pending', size
     from unnest(:keys::text[], :sizes::int[]) with ordinality as t(key, size, ordinal)`,
    { keys, sizes, tenantId, campaignId, dispatchId },
  );
  await insertRecipients(
    database,
    `select :dispatchId as dispatch_id, 'c' || (ordinal - 1) || '-' || n as contact_id, ordinal - 1 as chunk
     from unnest(:sizes::int[]) with ordinality as t(size, ordinal), generate_series(1, size) as n`,
    { sizes, dispatchId },
  );
  return { tenantId, campaignId, dispatchId, number: 1, keys };
}

/** What a draft has beside its message; nothing of it unless given. */
export interface DraftFeatures {
  messages?: Message[];
  pace?: Pace | null;
  holdoutPercent?: number | null;
  variants?: Variants | null;
  steps?: Step[] | null;
  schedule?: Schedule;
  /** A sample of the audience. */
  take?: Take;
}

/**
 * A draft to 25 contacts with a tag that is said to have so many that the workflow of its send freezes the audience.
 * @returns the campaign's id.
 */
export async function seedLargeDraft(
  database: Database,
  tenantId: string,
  {
    messages = [buyCard],
    pace = null,
    holdoutPercent = null,
    variants = null,
    steps = null,
    ...more
  }: DraftFeatures = {},
): Promise<string> {
  const ids = { tenantId, campaignId: uuidv7(), tagId: uuidv7() };
  await rows(
    database,
    `insert into tag (tag_id, tenant_id, service_number_id, name, source, kind, status, contact_count)
     values (:tagId, :tenantId, 'sn-1', :tagId, 'app_manual', 'permanent', 'active', 25000)`,
    ids,
  );
  await rows(
    database,
    `with known as (
       insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
       select :tenantId, 'sn-1', 'c' || n, 'following', now() from generate_series(1, 25) as n on conflict do nothing)
     insert into tag_assignment (tenant_id, tag_id, contact_id)
     select :tenantId, :tagId, 'c' || n from generate_series(1, 25) as n`,
    ids,
  );
  const sample = more.take ? { take: more.take } : {};
  const audience = { type: 'app_tags', appTagIds: [ids.tagId], tagOperator: 'OR', ...sample };
  await rows(
    database,
    `insert into campaign (campaign_id, tenant_id, service_number_id, name, channels, messages, audience, schedule,
       status, created_by, pace, holdout_percent, variants, steps)
     values (:campaignId, :tenantId, 'sn-1', 'Large', '{default}', :messages::jsonb, :audience::jsonb,
       :schedule::jsonb, 'draft', 'u1', :pace::jsonb, :holdoutPercent, :variants::jsonb, :steps::jsonb)`,
    {
      ...ids,
      messages: JSON.stringify(messages),
      audience: JSON.stringify(audience),
      schedule: JSON.stringify(more.schedule ?? { type: 'immediate' }),
      pace: pace && JSON.stringify(pace),
      holdoutPercent,
      variants: variants && JSON.stringify(variants),
      steps: steps && JSON.stringify(steps),
    },
  );
  return ids.campaignId;
}

export interface TaskRow {
  key: string;
  chunk: number;
  status: string;
  taskId: string | null;
  contactCount: number;
  attempts: number;
  errorCode: string | null;
  nextPollAt: Date | null;
  sent: number | null;
  read: number | null;
}

/** The campaign's sub-tasks in order. */
export function readTasks(database: Database, { campaignId }: { campaignId: string }): Promise<TaskRow[]> {
  return rows<TaskRow>(
    database,
    `select key, chunk, status, task_id, contact_count, attempts,
       error_code, next_poll_at, sent, read
     from broadcast_task where campaign_id = :campaignId order by chunk`,
    { campaignId },
  );
}

export async function readCampaign(
  database: Database,
  { campaignId }: { campaignId: string },
): Promise<{ status: string; pauseReason: string | null; sourceId: string | null }> {
  const [row] = await rows<{ status: string; pauseReason: string | null; sourceId: string | null }>(
    database,
    'select status, pause_reason, source_id from campaign where campaign_id = :campaignId',
    { campaignId },
  );
  if (!row) throw new Error('no such campaign');
  return row;
}
