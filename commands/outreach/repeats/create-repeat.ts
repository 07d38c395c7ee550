import { uuidv7 } from 'uuidv7';
import { type Database, rows } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import { insertRepeat, type RepeatRecord } from '#db/outreach/repeats/repeats.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import type { RepeatBody } from '#domain/api/repeats.ts';
import { assertNextTime, lockRepeat, noteChange, timeOf } from './repeats.ts';

/** @throws Problem `invalid_content` for a campaign that the tenant does not have, and for a calendar without a time. */
export function createRepeat(database: Database, author: Author, body: RepeatBody, now: Date): Promise<RepeatRecord> {
  const { tenantId, userId } = author;
  const repeatId = uuidv7();
  return database.transaction(async (transaction) => {
    const template = await CampaignRow.query(transaction)
      .select('serviceNumberId')
      .findOne({ tenantId, campaignId: body.campaignId, automation: false })
      .forShare();
    if (!template)
      throw new Problem('invalid_content', 'There is no campaign with this id', {
        errors: [invalidField('/campaignId', 'unknown_campaign')],
      });
    const until = timeOf(body.until);
    const next = assertNextTime({ ...body, until }, now);
    const calendar = JSON.stringify(body.calendar);
    const { serviceNumberId } = template;
    await rows(transaction, insertRepeat, {
      ...body,
      ...next,
      until,
      calendar,
      serviceNumberId,
      repeatId,
      tenantId,
      userId,
      now,
    });
    const after = await lockRepeat(transaction, { tenantId, repeatId });
    await noteChange(transaction, author, 'create', { after });
    return after;
  });
}
