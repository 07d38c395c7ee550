import { apiKeyOperations } from './api-keys.ts';
import { approvalOperations } from './approvals.ts';
import { audienceOperations } from './audiences.ts';
import { auditOperations } from './audit.ts';
import { automationEntryOperations } from './automation-entries.ts';
import { automationOperations } from './automations.ts';
import { batchOperations } from './batches.ts';
import { calendarOperations } from './calendar.ts';
import { campaignContactOperations } from './campaign-contacts.ts';
import { campaignHistoryOperations } from './campaign-history.ts';
import { campaignSnapshotOperations } from './campaign-snapshots.ts';
import { stepOperations } from './campaign-steps.ts';
import { campaignOperations } from './campaigns.ts';
import { contactOperations } from './contacts.ts';
import { dryRunOperations } from './dry-run.ts';
import { exportOperations } from './exports.ts';
import { followUpOperations } from './follow-ups.ts';
import { forecastOperations } from './forecast.ts';
import { imageOperations } from './images.ts';
import { inboxOperations } from './inbox.ts';
import { liftOperations } from './lift.ts';
import { noticeOperations } from './notices.ts';
import { overviewOperations } from './overview.ts';
import { personOperations } from './person.ts';
import { refusalOperations } from './refusals.ts';
import { repeatOperations } from './repeats.ts';
import { retentionOperations } from './retention.ts';
import { ruleOperations } from './rules.ts';
import { sessionOperations } from './session.ts';
import { standingOperations } from './standing.ts';
import { tagOperations } from './tags.ts';
import { templateOperations } from './templates.ts';
import { tenantSettingsOperations } from './tenant-settings.ts';
import { timelineOperations } from './timeline.ts';
import { userOperations } from './users.ts';
import { variantOperations } from './variant-test.ts';
import { eventOperations } from './outgoing-events.ts';
import { webhookOperations } from './webhook.ts';

/** Served by the backend under `/internal/v1`, forwarded by the BFF from `/api/v1`. */
export const backendOperations = {
  ...campaignOperations,
  ...calendarOperations,
  ...approvalOperations,
  ...templateOperations,
  ...dryRunOperations,
  ...campaignSnapshotOperations,
  ...campaignContactOperations,
  ...campaignHistoryOperations,
  ...liftOperations,
  ...variantOperations,
  ...stepOperations,
  ...forecastOperations,
  ...followUpOperations,
  ...repeatOperations,
  ...automationOperations,
  ...automationEntryOperations,
  ...audienceOperations,
  ...contactOperations,
  ...personOperations,
  ...timelineOperations,
  ...tagOperations,
  ...ruleOperations,
  ...inboxOperations,
  ...auditOperations,
  ...userOperations,
  ...retentionOperations,
  ...tenantSettingsOperations,
  ...webhookOperations,
  ...noticeOperations,
  ...eventOperations,
  ...overviewOperations,
  ...standingOperations,
  ...exportOperations,
  ...batchOperations,
};

/** All of `/api/v1`, as the console sees it. */
export const frontendOperations = {
  ...sessionOperations,
  ...apiKeyOperations,
  ...refusalOperations,
  ...imageOperations,
  ...backendOperations,
};
