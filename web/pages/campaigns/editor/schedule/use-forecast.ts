import { computed, type ComputedRef, shallowRef } from 'vue';
import { useI18n } from 'vue-i18n';
import type { paceSchema } from '#domain/api/pace.ts';
import { forecastOf } from '#domain/campaigns/pace/pace.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { usePreferences } from '#web/composables/use-preferences.ts';
import { type DraftStart, instantOf } from '../draft/date-time.ts';
import { type DraftPace, paceOf } from '../draft/pace.ts';

interface Planned {
  pace: DraftPace;
  start: DraftStart | null;
  /** Its audience. */
  contacts: number;
}

/** When a campaign sent now ends, and how many contacts its deadline puts on hold, in words; empty without a pace. */
export function useForecast(planned: () => Planned | null): ComputedRef<string> {
  const { t } = useI18n();
  const { city, dateTimeIn, now, number } = useFormat();
  const preferences = usePreferences();
  // The schemas are heavy, and a dialog shows before there is anything to forecast.
  const schema = shallowRef<typeof paceSchema | null>(null);
  void import('#domain/api/pace.ts').then((loaded) => (schema.value = loaded.paceSchema));
  return computed(() => {
    const { pace: draft, start, contacts } = planned() ?? {};
    const pace = draft && schema.value?.safeParse(paceOf(draft)).data;
    const from = start ? instantOf(start) : now.value;
    if (!pace || !from || !contacts) return '';
    const { endsAt, keptBack } = forecastOf(pace, from, contacts);
    const { zone } = preferences;
    const words = { when: dateTimeIn(endsAt, zone), city: city(zone), count: number(keptBack) };
    return keptBack > 0 ? t('pace.forecastKept', words, keptBack) : t('pace.forecast', words);
  });
}
