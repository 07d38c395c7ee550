import { useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { Automation } from '#domain/api/automations.ts';
import type { AutomationEntryStatus, AutomationStatus } from '#domain/automations/statuses.ts';
import { call } from '../index.ts';
import { listed } from './listed.ts';

export interface AutomationFilter {
  serviceNumberId?: string | undefined;
  status?: AutomationStatus | undefined;
  q?: string | undefined;
  cursor?: string | undefined;
}

const all = ['automations'];
const one = (automationId: string, part?: string, more?: object) => [...all, 'one', automationId, part, more];

/** While it is open, figures of what is active follow within seconds. */
const REFRESH_MS = 5000;

/** Whether somebody else is asked to approve it. */
export const waitsForApproval = ({ approval }: Pick<Automation, 'approval'>): boolean => approval?.outcome === null;

export function useAutomations(filter: MaybeRefOrGetter<AutomationFilter>, enabled: MaybeRefOrGetter<boolean> = true) {
  return useQuery({
    enabled: () => toValue(enabled),
    ...listed(() => [...all, 'list', toValue(filter)]),
    queryFn: ({ signal }) => call('listAutomations', { query: { ...toValue(filter), limit: 50 }, signal }),
    refetchInterval: 30_000,
  });
}

/** Fetches nothing without an id. */
export function useAutomation(automationId: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    enabled: () => toValue(automationId) !== undefined,
    queryKey: computed(() => one(toValue(automationId) ?? '')),
    queryFn: ({ signal }) => call('getAutomation', { params: { automationId: toValue(automationId) ?? '' }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

export function useAutomationResults(automationId: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => one(toValue(automationId), 'results')),
    queryFn: ({ signal }) => call('getAutomationResults', { params: { automationId: toValue(automationId) }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

export interface EntryFilter {
  status?: AutomationEntryStatus | undefined;
  contactId?: string | undefined;
}

/** Newest first, page by page. */
export function useAutomationEntries(
  automationId: MaybeRefOrGetter<string>,
  page: MaybeRefOrGetter<EntryFilter & { cursor?: string | undefined }>,
) {
  return useQuery({
    ...listed(() => one(toValue(automationId), 'entries', toValue(page))),
    queryFn: ({ signal }) =>
      call('listAutomationEntries', {
        params: { automationId: toValue(automationId) },
        query: { ...toValue(page), limit: 50 },
        signal,
      }),
    refetchInterval: REFRESH_MS,
  });
}

/** Invalidates automations, so that every page reads them again. */
export function useForgetAutomations(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: all });
}
