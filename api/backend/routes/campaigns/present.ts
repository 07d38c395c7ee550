import type { Campaign, SendApproval } from '#domain/api/campaign.ts';
import { etagOf } from '#domain/api/if-match.ts';
import { presentFields } from '#domain/campaigns/fields.ts';
import type { CampaignRecord, ListedCampaign } from '#db/outreach/campaigns/campaigns.ts';

const iso = (time: Date | null) => time?.toISOString() ?? null;

export const presentApproval = ({ requestedAt, decidedAt, sum, ...approval }: SendApproval): SendApproval => ({
  ...approval,
  requestedAt: new Date(requestedAt).toISOString(),
  decidedAt: decidedAt && new Date(decidedAt).toISOString(),
  sum: sum && { ...sum, since: new Date(sum.since).toISOString() },
});

export function presentCampaign(row: CampaignRecord): Campaign {
  return {
    id: row.id,
    etag: etagOf(row.revision),
    serviceNumberId: row.serviceNumberId,
    ...presentFields(row),
    status: row.status,
    pauseReason: row.pauseReason,
    cancelOutcome: row.cancelOutcome,
    pendingEdit: row.pendingEdit && {
      requestedBy: row.pendingEdit.requestedBy,
      requestedAt: new Date(row.pendingEdit.requestedAt).toISOString(),
    },
    approval: row.approval && presentApproval(row.approval),
    template:
      row.templateId === null || row.templateVersion === null
        ? null
        : { templateId: row.templateId, version: row.templateVersion },
    stepOf: row.stepOf,
    runOf: row.runOf,
    sentTwice: row.sentTwice,
    sourceId: row.sourceId,
    audienceCount: row.audienceCount,
    controlCount: row.controlCount,
    skippedByCase: row.skippedByCase,
    summary: row.summary,
    clickedContacts: row.clickedContacts,
    createdBy: row.createdBy,
    editedBy: row.editedBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    sentAt: iso(row.sentAt),
    confirmedBy: row.confirmedBy,
    startedAt: iso(row.startedAt),
    finishedAt: iso(row.finishedAt),
    closedAt: iso(row.closedAt),
  };
}

/** The same in a list, where inline ids are only counted. */
export function presentListed(row: ListedCampaign): Campaign & Pick<ListedCampaign, 'audience'> {
  return { ...presentCampaign(row), audience: row.audience };
}
