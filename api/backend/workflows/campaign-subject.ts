import type { CampaignRef } from '#activities/outreach/deps.ts';
import type { CampaignNames } from '#db/outreach/campaigns/names.ts';

/** What people call the campaign and its tenant now, and its page in the console; null if it cannot be found. */
export type NameCampaign = (campaign: CampaignRef) => Promise<(CampaignNames & { page?: string }) | null>;

/** What a workflow is about, as staff read it. */
export interface Subject {
  /** For a summary, which Temporal limits to 400 bytes. */
  short: string;
  /** A sentence for details. */
  full: string;
}

const LONGEST_NAME = 32;

/** Temporal shows summaries and details as Markdown: a name must not become a link or a style there. */
const literally = (name: string) => name.replaceAll(/\s+/gu, ' ').replaceAll(/[\\`*_[\]<>~|#]/gu, String.raw`\$&`);

function shortened(name: string): string {
  const characters = [...name];
  return characters.length <= LONGEST_NAME ? name : `${characters.slice(0, LONGEST_NAME - 1).join('')}…`;
}

/** A campaign with its name and its tenant's beside their ids. */
export async function subjectOf(nameCampaign: NameCampaign, { tenantId, campaignId }: CampaignRef): Promise<Subject> {
  const names = await nameCampaign({ tenantId, campaignId });
  if (names === null) return { short: `campaign ${campaignId}`, full: `Campaign ${campaignId} of tenant ${tenantId}.` };
  const { campaign, tenant, page } = names;
  const link = page === undefined ? '' : ` [Open it in the console](${page}).`;
  return {
    short: `campaign “${literally(shortened(campaign))}” (${campaignId}) of ${literally(shortened(tenant))}`,
    full: `Campaign “${literally(campaign)}” (${campaignId}) of tenant ${literally(tenant)} (${literally(tenantId)}).${link}`,
  };
}
