import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import type { TenantSettings, TenantSettingsPatch } from '#domain/api/tenant-settings.ts';
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
    // One after the other, each with what the one before has left.
    scope: { id: 'tenant-settings' },
    mutationFn: (body: TenantSettingsPatch) =>
      call('updateTenantSettings', { headers: { 'if-match': client.getQueryData<TenantSettings>(key)?.etag }, body }),
    onSuccess: (stored) => client.setQueryData(key, stored),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
}
