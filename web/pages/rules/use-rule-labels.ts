import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue';
import { useI18n } from 'vue-i18n';
import { useCampaignNames } from '#web/api/queries/rules.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { campaignsOf, type SpokenRule, type RuleLabels } from './sentence.ts';

type Named = Pick<SpokenRule, 'matchCondition' | 'campaignId'>;

/** The chosen language, and the names of the campaigns that these rules mention. */
export function useRuleLabels(rules: MaybeRefOrGetter<readonly Named[]>): ComputedRef<RuleLabels> {
  const { t } = useI18n();
  const { number, dateTime } = useFormat();
  const campaigns = useCampaignNames(computed(() => [...new Set(toValue(rules).flatMap(campaignsOf))]));
  return computed(() => ({
    t: (key, named, plural = 1) => t(key, named, plural),
    number,
    dateTime,
    campaigns: campaigns.value,
  }));
}
