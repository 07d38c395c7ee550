import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue';
import { useI18n } from 'vue-i18n';
import type { Automation } from '#domain/api/automations.ts';
import { useCampaignNames } from '#web/api/queries/rules.ts';
import { useTags } from '#web/api/queries/tags.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { useMoney } from '#web/composables/use-money.ts';
import { useSegmentSentence } from '#web/pages/audiences/segment/use-segment-sentence.ts';
import { delayOf } from './delay.ts';
import { triggerKeys } from './trigger-keys.ts';

/** A part of the sentence: the words with which it begins, and the rest. */
export interface Clause {
  words: 'when' | 'only' | 'each' | 'after' | 'send' | 'then' | 'not' | 'most' | 'until';
  text: string;
}

/** Says in the chosen language what an automation does, with the names of its tags and campaigns. */
export function useAutomationWords(automation: MaybeRefOrGetter<Automation | undefined>) {
  const { t } = useI18n();
  const { number, dateTime, city, tag: locale } = useFormat();
  const money = useMoney();
  const shown = computed(() => toValue(automation));
  const trigger = computed(() => shown.value?.trigger);
  const { nameOf: tagName } = useTags(() => ({ serviceNumberId: shown.value?.serviceNumberId }));
  const campaignIds = computed(() =>
    trigger.value?.event === 'notice.clicked' ? (trigger.value.campaignIds ?? []).slice(0, 5) : [],
  );
  const campaigns = useCampaignNames(campaignIds);
  const segments = computed(() =>
    [
      shown.value?.filter,
      shown.value?.exitOn,
      trigger.value?.event === 'segment.entered' ? trigger.value.segment : null,
    ].filter((segment) => segment !== null && segment !== undefined),
  );
  const sentence = useSegmentSentence(segments, tagName);
  const quoted = (name: string) => t('segments.quoted', { name });

  function delayText(minutes: number): string {
    if (minutes === 0) return t('automations.delay.none');
    const { amount, unit } = delayOf(minutes);
    return t(`automations.delay.${unit}`, { count: number(amount) }, amount);
  }

  function clickText(part: Extract<Automation['trigger'], { event: 'notice.clicked' }>): string {
    const names = campaignIds.value.map((id) => quoted(campaigns.value.get(id) ?? id));
    const what = new Intl.ListFormat(locale.value, { type: 'disjunction' }).format(names);
    const button =
      part.actionIndex === undefined
        ? t('segments.anyButton')
        : t('automations.button', { number: number(part.actionIndex + 1) });
    const clicked = t('automations.when.clicked', { button, campaigns: what || t('automations.anyCampaign') });
    return part.bizEventCode === undefined
      ? clicked
      : t('automations.when.clickedCode', { clicked, code: quoted(part.bizEventCode) });
  }

  /** How the sentence begins: what happens. */
  function whenText(part: Automation['trigger']): string {
    const key = triggerKeys[part.event];
    switch (part.event) {
      case 'contact.entered':
      case 'contact.followed':
        return t(`automations.when.${key}`);
      case 'tag.assigned':
      case 'tag.removed':
        return t(`automations.when.${key}`, { tag: quoted(tagName(part.tagId)) });
      case 'notice.clicked':
        return clickText(part);
      case 'session.closed': {
        const least = part.minMessages ?? 0;
        if (least === 0) return t('automations.when.sessionClosed');
        return t('automations.when.sessionOf', { count: number(least) }, least);
      }
      case 'order.paid':
      case 'order.refunded': {
        const { minAmount, currency } = part;
        if (minAmount === undefined || currency === undefined) return t(`automations.when.${key}`);
        return t(`automations.when.${key}From`, { amount: money(minAmount, currency) });
      }
      case 'date': {
        const { offsetDays, yearly } = part;
        const days = Math.abs(offsetDays);
        const side = offsetDays === 0 ? 'on' : offsetDays < 0 ? 'before' : 'after';
        const date = t(`automations.date.${side}`, { count: number(days), attribute: part.attribute }, days);
        const how = yearly ? 'dateYearly' : 'date';
        return t(`automations.when.${how}`, { date, at: part.at, city: city(part.zone) });
      }
      case 'segment.entered':
        return t('automations.when.segment', { segment: sentence.value(part.segment) });
    }
  }

  function stepText(step: Automation['steps'][number], index: number): string {
    const message = t('automations.message', { number: number(index + 1) });
    const delay = delayText(step.delay?.minutes ?? 0);
    if (step.if === null) return t('automations.then.any', { delay, message });
    return t(`automations.then.${step.if}`, { delay, message });
  }

  function entryText(entry: Automation['entry']): string {
    if (typeof entry === 'string') return t(`automations.entry.${entry}`);
    return t('automations.entry.afterDays', { count: number(entry.afterDays) }, entry.afterDays);
  }

  function limitsOf({ quietHours, maxPerDay, exitOn, endsAt }: Automation): Clause[] {
    const clauses: (Clause | null)[] = [
      quietHours && {
        words: 'not',
        text: t('automations.between', { from: quietHours.from, to: quietHours.to, city: city(quietHours.zone) }),
      },
      maxPerDay === null
        ? null
        : { words: 'most', text: t('automations.perDay', { count: number(maxPerDay) }, maxPerDay) },
      exitOn && { words: 'until', text: t('automations.exit', { segment: sentence.value(exitOn) }) },
      endsAt === null ? null : { words: 'until', text: dateTime(endsAt) },
    ];
    return clauses.filter((clause) => clause !== null);
  }

  const clauses: ComputedRef<Clause[]> = computed(() => {
    if (!shown.value) return [];
    const { filter, entry, delay, steps } = shown.value;
    const [, ...later] = steps;
    return [
      { words: 'when', text: whenText(shown.value.trigger) },
      ...(filter ? [{ words: 'only' as const, text: sentence.value(filter) }] : []),
      { words: 'each', text: entryText(entry) },
      { words: 'after', text: delayText(delay.minutes) },
      { words: 'send', text: t('automations.message', { number: number(1) }) },
      ...later.map((step, index) => ({ words: 'then' as const, text: stepText(step, index + 1) })),
      ...limitsOf(shown.value),
    ];
  });

  /** What is going to happen once it is active. */
  const promise = computed(() => {
    if (!shown.value) return '';
    const { filter, steps, delay } = shown.value;
    const named = {
      when: whenText(shown.value.trigger),
      delay: delayText(delay.minutes),
      count: number(steps.length),
    };
    return t(filter ? 'automations.promiseFiltered' : 'automations.promise', named, steps.length);
  });
  return { clauses, promise };
}
