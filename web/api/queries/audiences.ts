import { useQueries, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type ComputedRef, toValue, type MaybeRefOrGetter } from 'vue';
import type { Audience, ContactReach, SavedAudience } from '#domain/api/audiences.ts';
import { call } from '../index.ts';
import { listed } from './listed.ts';

export interface PreviewRequest {
  serviceNumberId: string;
  audience: Audience;
  /** Now where absent. */
  asOf?: string;
}

export type ExplanationRequest = PreviewRequest & { contactId: string };

const keys = {
  all: ['audiences'] as const,
  list: (filter: object) => ['audiences', 'list', filter] as const,
  one: (id: string) => ['audiences', 'one', id] as const,
  contacts: (id: string, filter: object) => ['audiences', 'contacts', id, filter] as const,
  preview: (request: PreviewRequest | null) => ['audiences', 'preview', request] as const,
  explanation: (request: ExplanationRequest) => ['audiences', 'explanation', request] as const,
};

/** Live counts of an audience. Outdated requests are aborted; null disables the query. */
export function useAudiencePreview(request: MaybeRefOrGetter<PreviewRequest | null>) {
  return useQuery({
    ...listed(() => keys.preview(toValue(request))),
    queryFn: ({ signal }) => {
      const body = toValue(request);
      if (!body) throw new Error('asked without an audience');
      return call('previewAudience', { body, signal });
    },
    enabled: () => toValue(request) !== null,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Whether an audience has one contact, and why or why not. */
export function useAudienceExplanation(request: MaybeRefOrGetter<ExplanationRequest>) {
  return useQuery({
    queryKey: computed(() => keys.explanation(toValue(request))),
    queryFn: ({ signal }) => call('explainAudience', { body: toValue(request), signal }),
  });
}

/** The audience of a campaign that is sent to a saved one. */
export function audienceOfSaved({ audienceId }: Pick<SavedAudience, 'audienceId'>): Audience {
  return { type: 'contacts', audienceId };
}

export function useSavedAudiences(
  filter: MaybeRefOrGetter<{ serviceNumberId?: string | undefined; cursor?: string | undefined; limit?: number }>,
) {
  return useQuery({
    ...listed(() => keys.list(toValue(filter))),
    queryFn: ({ signal }) => call('listAudiences', { query: { limit: 50, ...toValue(filter) }, signal }),
    enabled: () => toValue(filter).serviceNumberId !== undefined,
  });
}

export function useSavedAudience(id: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    queryKey: computed(() => keys.one(toValue(id) ?? '')),
    queryFn: ({ signal }) => call('getAudience', { params: { audienceId: toValue(id) ?? '' }, signal }),
    enabled: () => Boolean(toValue(id)),
    refetchInterval: ({ state }) => (state.data?.isComplete === false ? 2000 : false),
  });
}

/** The names of saved audiences by id; those that are gone have none. */
export function useAudienceNames(ids: MaybeRefOrGetter<readonly string[]>): ComputedRef<ReadonlyMap<string, string>> {
  const found = useQueries({
    queries: computed(() =>
      toValue(ids).map((audienceId) => ({
        queryKey: keys.one(audienceId),
        queryFn: ({ signal }: { signal: AbortSignal }) => call('getAudience', { params: { audienceId }, signal }),
        staleTime: 300_000,
        retry: false,
      })),
    ),
  });
  return computed(
    () => new Map(found.value.flatMap(({ data }) => (data ? [[data.audienceId, data.name] as [string, string]] : []))),
  );
}

/** The contacts that match a saved audience, by id, page by page. */
export function useAudienceContacts(
  audienceId: MaybeRefOrGetter<string>,
  filter: MaybeRefOrGetter<{ reach?: ContactReach | undefined; cursor?: string | undefined }>,
) {
  return useQuery({
    ...listed(() => keys.contacts(toValue(audienceId), toValue(filter))),
    queryFn: ({ signal }) =>
      call('listAudienceContacts', {
        params: { audienceId: toValue(audienceId) },
        query: { ...toValue(filter), limit: 50 },
        signal,
      }),
  });
}

/** Invalidates audiences and their counts. */
export function useForgetAudiences(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keys.all });
}
