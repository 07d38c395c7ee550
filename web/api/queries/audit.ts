import { useQuery } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { AuditObjectType } from '#domain/api/audit.ts';
import { call } from '../index.ts';
import { listed } from './listed.ts';

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
    ...listed(() => ['audit-log', 'list', toValue(filter)]),
    queryFn: ({ signal }) => call('listAuditLog', { query: { ...toValue(filter), limit: 50 }, signal }),
  });
}

/** One entry with the full state before and after. */
export function useAuditEntry(auditId: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => ['audit-log', 'one', toValue(auditId)]),
    queryFn: ({ signal }) => call('getAuditEntry', { params: { auditId: toValue(auditId) }, signal }),
    staleTime: Infinity,
  });
}
