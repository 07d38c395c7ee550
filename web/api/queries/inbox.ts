import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { HandledEventType } from '#domain/api/events.ts';
import type { InboxStatus } from '#domain/api/inbox.ts';
import type { RefusalReason } from '#domain/api/refusals.ts';
import { call } from '../index.ts';
import { useMe } from './integration.ts';
import { listed } from './listed.ts';

export interface InboxFilter {
  status?: InboxStatus | undefined;
  waiting?: 'true' | 'false' | undefined;
  eventType?: HandledEventType | undefined;
  reason?: string | undefined;
  eventId?: string | undefined;
  q?: string | undefined;
  campaignId?: string | undefined;
  cursor?: string | undefined;
}

const PAUSE_MS = 15_000;

export function useInboxEvents(filter: MaybeRefOrGetter<InboxFilter>, enabled: MaybeRefOrGetter<boolean> = true) {
  return useQuery({
    enabled: () => toValue(enabled),
    ...listed(() => ['event-inbox', 'list', toValue(filter)]),
    queryFn: ({ signal }) => call('listInboxEvents', { query: { ...toValue(filter), limit: 50 }, signal }),
    refetchInterval: PAUSE_MS,
  });
}

export function useWebhookRefusals(
  filter: MaybeRefOrGetter<{ reason?: RefusalReason | undefined; cursor?: string | undefined }>,
) {
  return useQuery({
    ...listed(() => ['webhook-refusals', toValue(filter)]),
    queryFn: ({ signal }) => call('listWebhookRefusals', { query: { ...toValue(filter), limit: 50 }, signal }),
    refetchInterval: PAUSE_MS,
  });
}

/** Events not yet processed, by type. */
export function useInboxSummary() {
  const { canRead } = useMe();
  return useQuery({
    enabled: canRead,
    queryKey: ['event-inbox', 'summary'],
    queryFn: ({ signal }) => call('getInboxSummary', { signal }),
    refetchInterval: PAUSE_MS,
  });
}

/** One event; refetched while it is on its way through the inbox. */
export function useInboxEvent(eventId: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => ['event-inbox', 'one', toValue(eventId)]),
    queryFn: ({ signal }) => call('getInboxEvent', { params: { eventId: toValue(eventId) }, signal }),
    refetchInterval: ({ state }) => {
      if (state.data?.status !== 'stored') return false;
      return state.data.waitingFor ? PAUSE_MS : 1000;
    },
  });
}

/** Puts one failed event aside. */
export function useDismissal(eventId: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) =>
      call('dismissInboxEvent', { params: { eventId: toValue(eventId) }, body: { reason } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['event-inbox'] }),
  });
}

/** Replays one event, or all failed ones of a type. */
export function useReplay() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ['event-inbox'] });
  return {
    one: useMutation({
      mutationFn: (eventId: string) => call('replayInboxEvent', { params: { eventId } }),
      onSettled,
    }),
    kind: useMutation({
      mutationFn: (kind: { eventType: HandledEventType; reason?: string }) => call('replayInboxKind', { body: kind }),
      onSettled,
    }),
  };
}
