import { useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, onScopeDispose, ref, watch, type Ref } from 'vue';
import type { CampaignStatus, Progress } from '#domain/api/campaign.ts';
import { listen } from '#web/api/http/event-stream.ts';
import { ApiProblem } from '#web/api/http/problem.ts';
import { call, open } from '#web/api/index.ts';
import { campaignKeys } from '#web/api/queries/campaigns.ts';
import { useInterruptedStreams } from '#web/composables/use-interrupted-streams.ts';

/**
 * `live`: changes are streamed. `reconnecting`: polled every 5 s until the stream is back. `still`: nothing changes.
 */
export type StreamState = 'connecting' | 'live' | 'reconnecting' | 'still';

const moving = new Set<CampaignStatus>(['sending', 'scheduled', 'paused']);
/** The stream has a heartbeat every second. */
const LONGEST_SILENCE_MS = 3000;
const refusals = new Set(['not_found', 'forbidden', 'unauthorized', 'gone']);

/** Progress of one campaign, kept current by its event stream, and by polling while the stream is down. */
export function useLiveProgress(id: Readonly<Ref<string>>) {
  const client = useQueryClient();
  const state = ref<StreamState>('connecting');
  const key = computed(() => campaignKeys.part(id.value, 'progress'));
  let controller: AbortController | null = null;

  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call('getProgress', { params: { id: id.value }, signal }),
    refetchInterval: () => ({ live: false as const, connecting: 5000, reconnecting: 5000, still: 30_000 })[state.value],
    refetchOnWindowFocus: 'always',
  });

  const listenOnce = (signal: AbortSignal) =>
    listen({
      open: (own) => open('streamProgress', { params: { id: id.value }, signal: own }),
      signal,
      longestSilenceMs: LONGEST_SILENCE_MS,
      onEvent: ({ event, data }) => {
        if (event !== 'progress') return;
        client.setQueryData<Progress>(key.value, JSON.parse(data));
        state.value = 'live';
      },
    });

  const isMoving = () => moving.has(query.data.value?.status ?? 'sending');

  async function follow(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const began = Date.now();
      try {
        await listenOnce(signal);
      } catch (error) {
        if (error instanceof ApiProblem && refusals.has(error.code)) return;
      }
      if (signal.aborted) return;
      if (Date.now() - began > 10_000) attempt = 0;
      // Set immediately: the next read may wait long for an unreachable server.
      if (isMoving()) state.value = 'reconnecting';
      await client.invalidateQueries({ queryKey: key.value });
      if (!isMoving()) return;
      state.value = 'reconnecting';
      await new Promise((resolve) => setTimeout(resolve, Math.min(1000 * 2 ** attempt, 15_000)));
    }
  }

  function stop(): void {
    controller?.abort();
    controller = null;
  }

  // The list of sub-tasks and the campaign's status beside the progress follow it immediately.
  watch(query.data, (now, before) => {
    if (!now || !before) return;
    const gently = { cancelRefetch: false };
    if (JSON.stringify(now.subTasks) !== JSON.stringify(before.subTasks)) {
      void client.invalidateQueries({ queryKey: campaignKeys.part(id.value, 'tasks').slice(0, 4) }, gently);
    }
    if (now.status !== before.status) {
      void client.invalidateQueries({ queryKey: campaignKeys.one(id.value), exact: true }, gently);
    }
  });

  const shouldFollow = computed(() => (query.data.value ? moving.has(query.data.value.status) : null));
  watch(
    [id, shouldFollow],
    ([, wanted]) => {
      stop();
      if (!wanted) {
        state.value = wanted === null ? 'connecting' : 'still';
        return;
      }
      state.value = 'connecting';
      controller = new AbortController();
      const { signal } = controller;
      void follow(signal).finally(() => {
        if (!signal.aborted) state.value = 'still';
      });
    },
    { immediate: true },
  );
  onScopeDispose(stop);
  const { reportInterruption } = useInterruptedStreams();
  reportInterruption(() => state.value === 'reconnecting');

  return { progress: query.data, error: query.error, isPending: query.isPending, refetch: query.refetch, state };
}
