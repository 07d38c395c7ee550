import { useI18n } from 'vue-i18n';
import { useFieldPath } from '#web/components/feedback/use-field-path.ts';
import { useFormat } from '#web/composables/use-format.ts';

/** The locale keys of each kind of object's states. */
const statusLabels: Record<string, string> = {
  campaign: 'status.campaign',
  sub_task: 'status.subTask',
  tag: 'status.tag',
  smart_tag_rule: 'status.rule',
  event: 'inbox.state',
};

/** The locale keys of other values, by the path of their field. */
const valueLabels: Record<string, string> = {
  kind: 'tags.kind',
  pauseReason: 'campaign.pauseReason',
};

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Labels for the fields of audited objects and their values; what has none is shown as stored. */
export function useFieldLabels() {
  const { t, te } = useI18n();
  const { dateTime } = useFormat();
  const labelsOf = useFieldPath();
  return {
    fieldOf: (path: string): string => labelsOf(path.split('.')),
    valueOf(objectType: string, path: string, value: string): string {
      const words = path === 'status' ? statusLabels[objectType] : valueLabels[path];
      if (words && te(`${words}.${value}`)) return t(`${words}.${value}`);
      return instant.test(value) ? dateTime(value) : value;
    },
  };
}
