import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue';
import type { Rule, RulePatch, RuleStatus } from '#domain/api/rules.ts';
import { useCampaignsById } from './campaigns.ts';
import type { ruleSorts } from '#domain/lists/sorts.ts';
import { call } from '../index.ts';
import { listed } from './listed.ts';

export interface RuleFilter {
  serviceNumberId?: string | undefined;
  targetTagId?: string | undefined;
  status?: RuleStatus | undefined;
  cursor?: string | undefined;
  sort?: (typeof ruleSorts)[number] | undefined;
}

export function useRules(filter: MaybeRefOrGetter<RuleFilter>, enabled: MaybeRefOrGetter<boolean> = true) {
  return useQuery({
    enabled: () => toValue(enabled),
    ...listed(() => ['rules', 'list', toValue(filter)]),
    queryFn: ({ signal }) => call('listSmartTagRules', { query: { ...toValue(filter), limit: 50 }, signal }),
  });
}

/** Fetches nothing without a rule id. */
export function useRule(ruleId: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    queryKey: computed(() => ['rules', 'one', toValue(ruleId)]),
    queryFn: ({ signal }) => call('getSmartTagRule', { params: { ruleId: toValue(ruleId) ?? '' }, signal }),
    enabled: () => toValue(ruleId) !== undefined,
  });
}

/** Newest first, page by page; also for a removed rule. */
export function useRuleVersions(ruleId: MaybeRefOrGetter<string>) {
  return useInfiniteQuery({
    queryKey: computed(() => ['rules', 'one', toValue(ruleId), 'versions']),
    queryFn: ({ signal, pageParam }) =>
      call('listSmartTagRuleVersions', {
        params: { ruleId: toValue(ruleId) },
        query: { limit: 20, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

export function patchRule({ ruleId, etag }: Pick<Rule, 'ruleId' | 'etag'>, body: RulePatch) {
  return call('updateSmartTagRule', { params: { ruleId }, headers: { 'if-match': etag }, body });
}

/** Invalidates rules and tags: a rule determines where its tag comes from. */
export function useForgetRules(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all(['rules', 'tags'].map((name) => client.invalidateQueries({ queryKey: [name] })));
  };
}

/** Names of campaigns by id, as far as they exist and are loaded. */
export function useCampaignNames(ids: MaybeRefOrGetter<readonly string[]>): ComputedRef<ReadonlyMap<string, string>> {
  const campaigns = useCampaignsById(ids);
  return computed(() => new Map([...campaigns.value].map(([id, { name }]) => [id, name])));
}
