import { useI18n } from 'vue-i18n';
import { useFormat } from '../../frame/format.ts';

/** Where each kind of object has the words for its states. */
const statusWords: Record<string, string> = {
  campaign: 'status.campaign',
  sub_task: 'status.subTask',
  tag: 'status.tag',
  smart_tag_rule: 'status.rule',
  event: 'inbox.state',
};

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * The parts of a field's path in words: a place in a list counts from 1, and what an operator named oneself, which is
 * everything below `data`, stays as it is.
 */
export function fieldParts(path: string, wordOf: (name: string) => string): string[] {
  const parts = path.split('.');
  const own = parts.indexOf('data');
  return parts.map((part, index) => {
    if (own !== -1 && index > own) return part;
    return /^\d+$/.test(part) ? String(Number(part) + 1) : wordOf(part);
  });
}

/** The fields of audited objects and their values in words; what has none is shown as it is stored. */
export function useFieldWords() {
  const { t, te } = useI18n();
  const { dateTime } = useFormat();
  const wordOf = (name: string): string => (te(`audit.field.${name}`) ? t(`audit.field.${name}`) : name);
  return {
    fieldOf: (path: string): string => fieldParts(path, wordOf).join(' › '),
    valueOf(objectType: string, path: string, value: string): string {
      const words = path === 'kind' ? 'tags.kind' : path === 'status' && statusWords[objectType];
      if (words && te(`${words}.${value}`)) return t(`${words}.${value}`);
      return instant.test(value) ? dateTime(value) : value;
    },
  };
}
