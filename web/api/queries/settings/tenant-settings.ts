import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import type { TenantSettingsPatch } from '#domain/api/tenant-settings.ts';
import { call } from '#web/api/index.ts';

const key = ['tenant-settings'];

/** What the tenant allows. */
export function useTenantSettings(enabled: MaybeRefOrGetter<boolean> = true) {
  return useQuery({
    enabled: () => toValue(enabled),
    queryKey: key,
    queryFn: ({ signal }) => call('getTenantSettings', { signal }),
  });
}

/** Stores what the tenant allows. */
export function useTenantSettingsChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: TenantSettingsPatch) => call('updateTenantSettings', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
}
