import { useI18n } from 'vue-i18n';
import type { Draft } from '../draft/draft.ts';
import { partsIn, variantOf } from '../draft/variant-list.ts';

/** Words for a place of the draft: “Message: 1 · title”, or with variants or cases “Variant B: message · 1 · title”. */
export function usePlaceLabel(draft: () => Draft): (at: string) => string {
  const { t } = useI18n();
  const partOf = (part: string) => (/^\d+$/.test(part) ? `${Number(part) + 1}` : t(`editor.part.${part}`));

  return (at) => {
    const [field = '', ...parts] = at.split('/');
    const isOther = (parts[0] === 'others' || parts[0] === 'cases') && parts.length > 2;
    const position = variantOf(at);
    const name = partsIn(draft())[position]?.name.trim() || `${position + 1}`;
    const named = field === 'messagesBy' ? t('cases.place', { values: name }) : t('variants.place', { name });
    const place = isOther ? named : t(`editor.place.${field}`);
    const within = (isOther ? parts.slice(2) : parts).map(partOf).join(' · ');
    return within === '' ? place : t('review.placeWithin', { place, within });
  };
}
