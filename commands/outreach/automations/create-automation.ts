import { uuidv7 } from 'uuidv7';
import { type Database, rows, type Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import { type AutomationRecord, countAutomations, insertAutomation } from '#db/outreach/automations/automations.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import type { AutomationBody } from '#domain/api/automations.ts';
import { Problem } from '#domain/api/problem.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { readTenantSettings } from '../tenants/settings.ts';
import { noteChange, reread } from './automations.ts';
import { assertValid, automationFields, campaignFields, fullSteps, storedQuiet } from './content.ts';

/** One after the other, so that several at once do not pass the limit together. */
const lockThoseOf = `select pg_advisory_xact_lock(hashtextextended('automations ' || :tenantId, 0))`;

async function assertWithinLimit(transaction: Transaction, tenantId: string, most: number): Promise<void> {
  await rows(transaction, lockThoseOf, { tenantId });
  if ((await countAutomations(transaction, tenantId)) < most) return;
  throw new Problem('invalid_content', `A tenant may have ${most} automations; end or delete one that is not used`);
}

/** Creates a draft. @throws Problem `invalid_content`, also for more automations than a tenant may have. */
export function createAutomation(
  database: Database,
  author: Author,
  { serviceNumberId, ...body }: AutomationBody,
  { now, appId, automationsPerTenant }: { now: Date; appId: string; automationsPerTenant: number },
): Promise<AutomationRecord> {
  const { tenantId, userId } = author;
  const automationId = uuidv7();
  return database.transaction(async (transaction) => {
    await assertWithinLimit(transaction, tenantId, automationsPerTenant);
    await assertActiveServiceNumber(transaction, tenantId, serviceNumberId);
    const usual = (await readTenantSettings(transaction, tenantId)).quietHours;
    const content = { ...body, steps: fullSteps(body.steps), quietHours: storedQuiet(body.quietHours ?? usual) };
    await assertValid(transaction, { tenantId, serviceNumberId, appId }, content, { now });
    await CampaignRow.query(transaction).insert({
      ...campaignFields(content),
      campaignId: automationId,
      tenantId,
      serviceNumberId,
      automation: true,
      audience: { type: 'contacts', contactIds: [] },
      schedule: { type: 'immediate' },
      status: 'draft',
      createdBy: userId,
      editedBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    await rows(transaction, insertAutomation, { ...automationFields(content), automationId, tenantId, now });
    const after = await reread(transaction, { tenantId, automationId });
    await noteChange(transaction, author, 'create', { after });
    return after;
  });
}
