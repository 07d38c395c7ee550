import { z } from 'zod';
import type { Click } from '../../domain/api/campaign.ts';
import type { Message } from '../../domain/api/messages.ts';
import type { Page } from '../../domain/api/primitives.ts';
import { decodeCursor, keyText, microseconds, pageOf } from '../../domain/cursor.ts';
import { type Database, rows } from '../database.ts';
import { atMicroseconds, toMicroseconds } from './keyset.ts';
import { actionLabel } from './results.ts';

interface ClickRecord extends Omit<Click, 'clickedAt' | 'label'> {
  clickedAt: Date;
  at: number;
}

/** Attributed clicks of a campaign, newest first. */
export async function listClicks(
  db: Database,
  tenantId: string,
  campaign: { id: string; messages: Message[] },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Click>> {
  const key = z.tuple([microseconds, keyText, keyText, keyText, z.int().min(0).max(1_000_000)]);
  const after = decodeCursor(key, cursor);
  const [at, taskId, contactId, noticeId, actionIndex] = after ?? [];
  const found = await rows<ClickRecord>(
    db,
    `select task_id as "taskId", contact_id as "contactId", notice_id as "noticeId", message_index as "messageIndex",
       action_index as "actionIndex", biz_event_code as "bizEventCode", clicked_at as "clickedAt", repeats,
       ${toMicroseconds('clicked_at')} as at
     from click_attribution where tenant_id = :tenantId and campaign_id = :campaignId
       ${
         after
           ? `and (clicked_at, task_id, contact_id, notice_id, action_index)
                < (${atMicroseconds('at')}, :taskId, :contactId, :noticeId, :actionIndex)`
           : ''
       }
     order by clicked_at desc, task_id desc, contact_id desc, notice_id desc, action_index desc limit :rows`,
    { tenantId, campaignId: campaign.id, at, taskId, contactId, noticeId, actionIndex, rows: limit + 1 },
  );
  return pageOf(
    found,
    limit,
    (row) => [row.at, row.taskId, row.contactId, row.noticeId, row.actionIndex],
    ({ clickedAt, ...row }) => ({
      taskId: row.taskId,
      contactId: row.contactId,
      noticeId: row.noticeId,
      messageIndex: row.messageIndex,
      actionIndex: row.actionIndex,
      bizEventCode: row.bizEventCode,
      repeats: row.repeats,
      label: actionLabel(campaign.messages, row.messageIndex, row.actionIndex) || null,
      clickedAt: clickedAt.toISOString(),
    }),
  );
}
