import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue';
import { useIntegration } from '../api/queries/integration.ts';

/** Temporal UI's list of the workflows with this search attribute; null where no Temporal UI is configured. */
export function useTemporalLink(
  attribute: 'CampaignId' | 'OrderId',
  value: MaybeRefOrGetter<string>,
): ComputedRef<string | null> {
  const { data: integration } = useIntegration();
  return computed(() => {
    const { temporalUiUrl: base, temporalNamespace: namespace = '' } = integration.value?.health ?? {};
    if (!base) return null;
    const query = encodeURIComponent(`${attribute}="${toValue(value)}"`);
    return `${base.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${query}`;
  });
}
