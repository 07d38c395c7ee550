import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { AuditObjectType } from '../../domain/api/audit.ts';
import { call } from './index.ts';

export interface AuditFilter {
  actor?: string | undefined;
  objectType?: AuditObjectType | undefined;
  objectId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  cursor?: string | undefined;
}

export function useAuditLog(filter: MaybeRefOrGetter<AuditFilter>) {
  return useQuery({
    queryKey: computed(() => ['audit-log', 'list', toValue(filter)]),
    queryFn: ({ signal }) => call('listAuditLog', { query: { ...toValue(filter), limit: 50 }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** One entry with all of what was before and after. */
export function useAuditEntry(auditId: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => ['audit-log', 'one', toValue(auditId)]),
    queryFn: ({ signal }) => call('getAuditEntry', { params: { auditId: toValue(auditId) }, signal }),
    staleTime: Infinity,
  });
}

/** Who saved the version of a campaign that a conflict read; null where the log does not have it. */
export function useSaver(campaignId: MaybeRefOrGetter<string>, updatedAt: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => ['audit-log', 'saver', toValue(campaignId), toValue(updatedAt)]),
    queryFn: async ({ signal }) => {
      const query = { objectType: 'campaign', objectId: toValue(campaignId), limit: 50 } as const;
      const { items } = await call('listAuditLog', { query, signal });
      return items.find(({ action }) => action === 'campaign.update')?.actor ?? null;
    },
    staleTime: Infinity,
  });
}
