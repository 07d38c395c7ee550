import { isDeepStrictEqual } from 'node:util';
import { type Database, rows, type Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import { type AutomationRecord, updateAutomation as updateSql } from '#db/outreach/automations/automations.ts';
import { wantSourceUpdate } from '#db/outreach/campaigns/entry-sources.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import type { AutomationPatch } from '#domain/api/automations.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { askAgain } from './approval.ts';
import { isWaiting, lockAutomation, noteChange, reread } from './automations.ts';
import {
  assertValid,
  automationFields,
  type AutomationContent,
  campaignFields,
  contentOf,
  fullSteps,
  storedQuiet,
} from './content.ts';

const changeable: Record<'active' | 'paused' | 'ended', readonly (keyof AutomationContent)[]> = {
  active: ['name', 'endsAt', 'maxPerDay', 'quietHours', 'exitOn', 'utm', 'steps'],
  paused: ['name', 'endsAt', 'maxPerDay', 'quietHours', 'exitOn', 'utm', 'steps'],
  ended: ['name'],
};

const timingOf = ({ steps }: AutomationContent) => steps.map((step) => ({ delay: step.delay, if: step.if }));

/** The fields that differ. */
const changedIn = (before: AutomationContent, after: AutomationContent): (keyof AutomationContent)[] =>
  (Object.keys(before) as (keyof AutomationContent)[]).filter((name) => !isDeepStrictEqual(before[name], after[name]));

/** @throws Problem `invalid_state` for what cannot change any more, or while somebody is asked to approve the draft. */
function assertChangeable(before: AutomationRecord, after: AutomationContent, changed: (keyof AutomationContent)[]) {
  const { status } = before;
  if (status === 'draft') {
    if (isWaiting(before)) throw new Problem('invalid_state', 'It waits for approval: withdraw the request first');
    return;
  }
  const fixed = changed.filter((name) => !changeable[status].includes(name));
  if (!fixed.includes('steps') && !isDeepStrictEqual(timingOf(contentOf(before)), timingOf(after))) fixed.push('steps');
  if (fixed.length > 0)
    throw new Problem('invalid_state', `${fixed.join(', ')} cannot change once the automation is ${status}`, {
      errors: fixed.map((name) => invalidField(`/${name}`, 'unchangeable')),
    });
}

async function store(
  transaction: Transaction,
  author: Author,
  before: AutomationRecord,
  { content, changed, now }: { content: AutomationContent; changed: string[]; now: Date },
): Promise<void> {
  const { tenantId, automationId } = before;
  const key = { tenantId, campaignId: automationId };
  await CampaignRow.query(transaction)
    .where(key)
    .patch({ ...campaignFields(content), editedBy: author.userId, updatedAt: now });
  await rows(transaction, updateSql, { ...automationFields(content), automationId, now });
  const open = before.status === 'active' || before.status === 'paused';
  if (open && (changed.includes('name') || changed.includes('endsAt'))) await wantSourceUpdate(transaction, key);
}

/**
 * Changes an automation, as far as its state lets it. New messages of an active one wait for approval where sends need that.
 * @throws Problem `not_found`, `stale`, `invalid_state`, `invalid_content`.
 */
export function updateAutomation(
  database: Database,
  author: Author,
  automationId: string,
  given: { patch: AutomationPatch; now: Date; appId: string; checkRevision?: RevisionCheck },
): Promise<AutomationRecord> {
  const { patch, now, appId, checkRevision = anyRevision } = given;
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockAutomation(transaction, { tenantId, automationId });
    const was = contentOf(before);
    const named = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    const content: AutomationContent = {
      ...was,
      ...named,
      ...(patch.steps && { steps: fullSteps(patch.steps) }),
      ...(patch.quietHours === undefined ? {} : { quietHours: storedQuiet(patch.quietHours) }),
    };
    const changed = changedIn(was, content);
    assertChangeable(before, content, changed);
    checkRevision(before.revision);
    if (changed.length === 0) return before;
    const { serviceNumberId, status } = before;
    if (status === 'draft') await assertActiveServiceNumber(transaction, tenantId, serviceNumberId);
    await assertValid(transaction, { tenantId, serviceNumberId, appId }, content, { now, names: changed });
    await store(transaction, author, before, { content, changed, now });
    const after = await reread(transaction, before);
    await noteChange(transaction, author, 'update', { before, after });
    const isOpen = status === 'active' || status === 'paused';
    if (!isOpen || !changed.includes('steps') || !(await askAgain(transaction, author, after, now))) return after;
    return await reread(transaction, before);
  });
}
