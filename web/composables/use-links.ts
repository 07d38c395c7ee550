import { useRoute, type RouteLocationRaw } from 'vue-router';
import type { Campaign, CampaignStatus } from '#domain/api/campaign.ts';

export const campaignTabNames = ['progress', 'results', 'audience', 'clicks', 'contacts', 'history'] as const;
export type CampaignTab = (typeof campaignTabNames)[number];

export const automationTabNames = ['overview', 'results', 'entries', 'tasks'] as const;
export type AutomationTab = (typeof automationTabNames)[number];

const hasEnded = new Set<CampaignStatus>(['completed', 'partially_failed', 'closed']);

/** Links to pages on the current surface: `/app`, or the embedded workbench tab. */
export function useLinks() {
  const route = useRoute();
  const embedded = route.path.startsWith('/embed');
  const surface = embedded ? 'embed' : 'app';
  return {
    embedded,
    campaigns: (query: Record<string, string> = {}): RouteLocationRaw => ({ name: `${surface}.campaigns`, query }),
    /** Starts the campaign with a saved audience, where one is given. */
    newCampaign: (audience?: string, sn: unknown = route.query['sn']): RouteLocationRaw => ({
      name: `${surface}.campaign-new`,
      query: { ...sameServiceNumber(sn), ...(audience && { audience }) },
    }),
    audiences: (): RouteLocationRaw => ({ name: 'app.audiences' }),
    /** With `at`, an ISO time, and `contact`, it asks about them at once. */
    audience: (audienceId: string, query: { at?: string; contact?: string } = {}): RouteLocationRaw => ({
      name: 'app.audience',
      params: { audienceId },
      query,
    }),
    editCampaign: (id: string): RouteLocationRaw => ({ name: `${surface}.campaign-edit`, params: { id } }),
    /** Where a campaign that was sent, but has not started, is changed. */
    changeCampaign: (id: string): RouteLocationRaw => ({ name: `${surface}.campaign-change`, params: { id } }),
    campaign: (id: string, tab: CampaignTab = 'progress', query: Record<string, string> = {}): RouteLocationRaw => ({
      name: `${surface}.campaign-${tab}`,
      params: { id },
      query,
    }),
    /** Where one looks first: a draft is written, and what has ended has results. */
    campaignNow: ({ id, status }: Pick<Campaign, 'id' | 'status'>): RouteLocationRaw => {
      if (status === 'draft') return { name: `${surface}.campaign-edit`, params: { id } };
      return { name: `${surface}.campaign-${hasEnded.has(status) ? 'results' : 'progress'}`, params: { id } };
    },
    /** Null where the surface has no contact page. */
    contact: (snId: string, contactId: string): RouteLocationRaw | null =>
      embedded ? null : { name: 'app.contact', params: { snId, contactId } },
    /** Rules (at one version), tags and received events: null on surfaces without such a page. */
    rule: (ruleId: string, version: number | null = null): RouteLocationRaw | null =>
      embedded ? null : { name: 'app.rule', params: { ruleId }, hash: version === null ? '' : `#version-${version}` },
    repeat: (repeatId: string): RouteLocationRaw | null =>
      embedded ? null : { name: 'app.repeat', params: { repeatId } },
    automation: (
      automationId: string,
      tab: AutomationTab = 'overview',
      query: Record<string, string> = {},
    ): RouteLocationRaw => ({
      name: tab === 'overview' ? 'app.automation' : `app.automation-${tab}`,
      params: { automationId },
      query,
    }),
    tag: (tagId: string): RouteLocationRaw | null => (embedded ? null : { name: 'app.tag', params: { tagId } }),
    eventsOf: (campaignId: string): RouteLocationRaw | null =>
      embedded ? null : { name: 'app.inbox', query: { campaign: campaignId } },
    event: (eventId: string): RouteLocationRaw | null =>
      embedded ? null : { name: 'app.inbox-event', params: { eventId } },
  };
}

function sameServiceNumber(sn: unknown): Record<string, string> {
  return typeof sn === 'string' ? { sn } : {};
}
