import { useQueries, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue';
import type { HistorySide } from '#domain/api/campaign-history.ts';
import type { Campaign, CampaignStatus, SubTask, SubTaskStatus } from '#domain/api/campaign.ts';
import type { PossibleActions } from '#domain/api/campaign-snapshots.ts';
import type { ContactOutcome } from '#domain/contacts/outcomes.ts';
import type { FigureName } from '#domain/campaigns/figures.ts';
import type { campaignSorts } from '#domain/lists/sorts.ts';
import { call, exchange } from '../index.ts';
import { listed } from './listed.ts';

export interface CampaignFilter {
  serviceNumberId?: string | undefined;
  status?: CampaignStatus | undefined;
  q?: string | undefined;
  task?: string | undefined;
  audienceId?: string | undefined;
  label?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  had?: FigureName | undefined;
  cursor?: string | undefined;
  sort?: (typeof campaignSorts)[number] | undefined;
}

/** A campaign with the version that a change must name. */
export interface VersionedCampaign {
  campaign: Campaign;
  etag: string | null;
}

const moving = new Set<CampaignStatus>(['sending', 'scheduled', 'paused']);

/** Whether figures of this campaign may still change by themselves. */
export const isMoving = (campaign: Pick<Campaign, 'status'>): boolean => moving.has(campaign.status);

/** Whether somebody has to approve its send. */
export const isWaiting = ({ approval }: Pick<Campaign, 'approval'>): boolean => approval?.outcome === null;

const isAwaited = (campaign: Campaign): boolean => isMoving(campaign) || isWaiting(campaign);

export const campaignKeys = {
  all: ['campaigns'] as const,
  list: (filter: CampaignFilter) => ['campaigns', 'list', filter] as const,
  one: (id: string) => ['campaigns', 'one', id] as const,
  part: (id: string, part: string, more: object = {}) => ['campaigns', 'one', id, part, more] as const,
};

/** One page of campaigns; refreshed every 3 s while one of them is being sent. */
export function useCampaigns(filter: MaybeRefOrGetter<CampaignFilter>, enabled: MaybeRefOrGetter<boolean> = true) {
  return useQuery({
    enabled: () => toValue(enabled),
    ...listed(() => campaignKeys.list(toValue(filter))),
    queryFn: ({ signal }) => call('listCampaigns', { query: { ...toValue(filter), limit: 50 }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'sending') ? 3000 : 30_000),
  });
}

/** Event codes in use, to suggest while one is typed. */
export function useEventCodes(
  serviceNumberId: MaybeRefOrGetter<string | undefined>,
  enabled: MaybeRefOrGetter<boolean>,
) {
  return useQuery({
    enabled: () => toValue(enabled),
    queryKey: computed(() => ['event-codes', toValue(serviceNumberId)]),
    queryFn: ({ signal }) => call('listEventCodes', { query: { serviceNumberId: toValue(serviceNumberId) }, signal }),
    staleTime: 60_000,
  });
}

export async function readCampaign(id: string, signal?: AbortSignal): Promise<VersionedCampaign> {
  const { response, headers } = await exchange('getCampaign', { params: { id }, signal });
  return { campaign: response, etag: headers.get('etag') };
}

export function useCampaign(id: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => campaignKeys.one(toValue(id))),
    queryFn: ({ signal }) => readCampaign(toValue(id), signal),
    refetchInterval: ({ state }) => (state.data && isAwaited(state.data.campaign) ? 5000 : false),
  });
}

/** Campaigns by id, as far as they exist and are loaded. */
export function useCampaignsById(ids: MaybeRefOrGetter<readonly string[]>): ComputedRef<ReadonlyMap<string, Campaign>> {
  const found = useQueries({
    queries: computed(() =>
      toValue(ids).map((id) => ({
        queryKey: campaignKeys.one(id),
        queryFn: ({ signal }: { signal: AbortSignal }) => readCampaign(id, signal),
        staleTime: 300_000,
        retry: false,
      })),
    ),
  });
  return computed(
    () =>
      new Map(
        found.value.flatMap(({ data }) => (data ? [[data.campaign.id, data.campaign] as [string, Campaign]] : [])),
      ),
  );
}

/** Those of an automation say of which step they are. */
export function useSubTasks(
  id: MaybeRefOrGetter<string>,
  page: MaybeRefOrGetter<Pick<CampaignFilter, 'cursor' | 'task'> & { status?: SubTaskStatus | undefined }>,
  live: MaybeRefOrGetter<boolean>,
  of: 'campaign' | 'automation',
) {
  return useQuery({
    ...listed(() => campaignKeys.part(toValue(id), 'tasks', toValue(page))),
    queryFn: async ({ signal }): Promise<{ items: (SubTask & { step?: number })[]; nextCursor: string | null }> => {
      const query = { ...toValue(page), limit: 50 };
      return of === 'automation'
        ? await call('listAutomationTasks', { params: { automationId: toValue(id) }, query, signal })
        : await call('listSubTasks', { params: { id: toValue(id) }, query, signal });
    },
    refetchInterval: () => (toValue(live) ? 3000 : false),
  });
}

export function useResults(id: MaybeRefOrGetter<string>, live: MaybeRefOrGetter<boolean>) {
  return useQuery({
    queryKey: computed(() => campaignKeys.part(toValue(id), 'results')),
    queryFn: ({ signal }) => call('getResults', { params: { id: toValue(id) }, signal }),
    refetchInterval: () => (toValue(live) ? 5000 : 30_000),
  });
}

/** Lift over the control group within a number of days. */
export function useLift(id: MaybeRefOrGetter<string>, windowDays: MaybeRefOrGetter<string>) {
  return useQuery({
    ...listed(() => campaignKeys.part(toValue(id), 'lift', { windowDays: toValue(windowDays) })),
    queryFn: ({ signal }) =>
      call('getLift', { params: { id: toValue(id) }, query: { windowDays: Number(toValue(windowDays)) }, signal }),
    refetchInterval: 60_000,
  });
}

/** The test of a campaign's variants. */
export function useVariantTest(id: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => campaignKeys.part(toValue(id), 'variants', {})),
    queryFn: ({ signal }) => call('getVariantTest', { params: { id: toValue(id) }, signal }),
    refetchInterval: 10_000,
  });
}

/** What follows the campaign; one that is due shows within half a minute. */
export function useSteps(id: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => campaignKeys.part(toValue(id), 'steps', {})),
    queryFn: ({ signal }) => call('listSteps', { params: { id: toValue(id) }, signal }),
    refetchInterval: 30_000,
  });
}

export function useClicks(
  id: MaybeRefOrGetter<string>,
  filter: MaybeRefOrGetter<{
    messageIndex?: number;
    actionIndex?: number;
    bizEventCode?: string;
    cursor?: string | undefined;
  }>,
) {
  return useQuery({
    ...listed(() => campaignKeys.part(toValue(id), 'clicks', toValue(filter))),
    queryFn: ({ signal }) =>
      call('listClicks', { params: { id: toValue(id) }, query: { ...toValue(filter), limit: 50 }, signal }),
    refetchInterval: 10_000,
  });
}

/** What each contact of the campaign did, page by page. */
export function useCampaignContacts(
  id: MaybeRefOrGetter<string>,
  filter: MaybeRefOrGetter<{
    outcome?: ContactOutcome | undefined;
    messageIndex?: number;
    actionIndex?: number;
    cursor?: string | undefined;
  }>,
) {
  return useQuery({
    ...listed(() => campaignKeys.part(toValue(id), 'contacts', toValue(filter))),
    queryFn: ({ signal }) =>
      call('listCampaignContacts', { params: { id: toValue(id) }, query: { ...toValue(filter), limit: 50 }, signal }),
    refetchInterval: 10_000,
  });
}

/** The actions that the campaign allows now, with the number of contacts each affects. */
export function usePossibleActions(id: MaybeRefOrGetter<string>, live: MaybeRefOrGetter<boolean>) {
  return useQuery({
    queryKey: computed(() => campaignKeys.part(toValue(id), 'actions')),
    queryFn: ({ signal }) => call('getPossibleActions', { params: { id: toValue(id) }, signal }),
    refetchInterval: () => (toValue(live) ? 5000 : false),
    staleTime: 0,
  });
}

/** Contacts that a campaign which has begun still has to submit; null if it has not begun or is through. */
export const leftToSubmit = (possible: PossibleActions | undefined): number | null =>
  !possible || possible.edit !== null ? null : (possible.resume ?? possible.pause);

/** The sends of a campaign; there are few. */
export function useDispatches(id: MaybeRefOrGetter<string>, cursor: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    queryKey: computed(() => campaignKeys.part(toValue(id), 'dispatches', { cursor: toValue(cursor) })),
    queryFn: ({ signal }) =>
      call('listDispatches', { params: { id: toValue(id) }, query: { cursor: toValue(cursor) }, signal }),
  });
}

/** Whether a contact is in the frozen audience; an empty id disables the query. */
export function useRecipient(id: MaybeRefOrGetter<string>, contactId: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    queryKey: computed(() => campaignKeys.part(toValue(id), 'recipient', { contactId: toValue(contactId) })),
    queryFn: ({ signal }) =>
      call('getRecipient', { params: { id: toValue(id), contactId: toValue(contactId) ?? '' }, signal }),
    enabled: () => Boolean(toValue(contactId)),
  });
}

export function useAudienceDrift(id: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => campaignKeys.part(toValue(id), 'drift')),
    queryFn: ({ signal }) => call('getAudienceDrift', { params: { id: toValue(id) }, signal }),
  });
}

export function useForecast(id: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => campaignKeys.part(toValue(id), 'forecast')),
    queryFn: ({ signal }) => call('getForecast', { params: { id: toValue(id) }, signal }),
  });
}

export function useCampaignHistory(
  id: MaybeRefOrGetter<string>,
  filter: MaybeRefOrGetter<{ by?: HistorySide | undefined; cursor?: string | undefined }>,
) {
  return useQuery({
    ...listed(() => campaignKeys.part(toValue(id), 'history', toValue(filter))),
    queryFn: ({ signal }) =>
      call('getCampaignHistory', {
        params: { id: toValue(id) },
        query: { ...toValue(filter), limit: 50 },
        signal,
      }),
    refetchInterval: 10_000,
  });
}

/** Invalidates campaigns, so that every page reads them again. */
export function useForgetCampaigns(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: campaignKeys.all });
}
