import { ApplicationFailure } from '@temporalio/activity';
import { type DispatchContent, loadDispatch, pauseSending } from '#db/outreach/sends/ledger/ledger.ts';
import { storeSource } from '#commands/outreach/campaigns/store-source.ts';
import { rejectPending } from '#commands/outreach/sends/ledger/evidence.ts';
import { lacksSource } from '#domain/campaigns/entry-source.ts';
import type { EntrySource } from '#clients/platform/gateway.ts';
import type { Failure } from '#clients/platform/outcome.ts';
import { withJitter } from '#activities/jitter.ts';
import type { OutreachDeps, Send } from '../deps.ts';

/** What the platform stores with a source and returns in sessions; F1 creates it, F2 repeats it. */
export const extensionData = (campaignId: string, appId: string) => ({ appId, campaignId });

/** The body of F1 (S0: EntrySource create request). */
function entrySourceOf(content: DispatchContent, appId: string): EntrySource {
  const { campaignId, serviceNumberId } = content;
  return {
    name: content.name,
    reason: { type: 'activity', id: campaignId, data: extensionData(campaignId, appId) },
    channels: content.channels.map((channel) => ({ channel, serviceNumberId })),
    ...(content.endsAt ? { expiresAt: content.endsAt.toISOString() } : {}),
    webhook: { url: content.webhookUrl ?? '', events: ['session.created', 'session.closed'] },
  };
}

/** F1 is safe to repeat, so every uncertain outcome is retried. */
async function settleFailure(deps: OutreachDeps, content: DispatchContent, failure: Failure): Promise<void> {
  const { tenantId, campaignId, dispatchId } = content;
  const now = deps.now();
  switch (failure.kind) {
    case 'rejected': {
      const { code, message } = failure;
      await rejectPending(deps.database, { tenantId, campaignId, dispatchId, now, code, message });
      return;
    }
    case 'unauthorized':
      await deps.database.transaction((transaction) =>
        pauseSending(transaction, { tenantId, campaignId, reason: 'unauthorized', now }),
      );
      return;
    default: {
      const wait = failure.kind === 'retryable' ? failure.retryAfterMs : null;
      throw ApplicationFailure.create({
        message: `The entry source could not be created: ${failure.message}`,
        type: 'PlatformUnavailable',
        ...(wait === null ? {} : { nextRetryDelay: withJitter(wait) }),
      });
    }
  }
}

/** Whether a button of the campaign opens a conversation and there is no source for it yet. */
export async function lacksEntrySource(deps: OutreachDeps, { tenantId, dispatchId }: Send): Promise<boolean> {
  const content = await loadDispatch(deps.database, { tenantId, dispatchId });
  return content !== null && lacksSource(content, deps.settings.PLATFORM_APP_ID);
}

/** Calls F1 for a send whose campaign lacks a source that its buttons need. */
export async function prepareEntrySource(deps: OutreachDeps, { tenantId, dispatchId }: Send): Promise<void> {
  const content = await loadDispatch(deps.database, { tenantId, dispatchId });
  if (!content || !['sending', 'scheduled'].includes(content.status)) return;
  if (!lacksSource(content, deps.settings.PLATFORM_APP_ID)) return;
  const body = entrySourceOf(content, deps.settings.PLATFORM_APP_ID);
  const outcome = await deps.gateway.createEntrySource(deps.pacing.credentials(tenantId), body);
  if (outcome.kind !== 'accepted') return await settleFailure(deps, content, outcome);
  await storeSource(deps.database, {
    tenantId,
    campaignId: content.campaignId,
    sourceId: outcome.value.sourceId,
    sent: content,
  });
}

export function createEntrySourceActivities(deps: OutreachDeps) {
  return {
    /** Calls F1 if a button opens a conversation and the campaign has no source yet; before anything is sent. */
    prepareEntrySource: (send: Send): Promise<void> => prepareEntrySource(deps, send),
  };
}
