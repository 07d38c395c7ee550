import { useI18n } from 'vue-i18n';

/** Labels of flags; one without labels of its own is shown by its code. */
export function useFlagLabels() {
  const { t, te } = useI18n();
  const own = (code: string, part: string): string | null => {
    const key = `orders.flag.${code}.${part}`;
    return te(key) ? t(key) : null;
  };
  return {
    titleOf: (code: string): string => own(code, 'title') ?? code,
    textOf: (code: string): string | null => own(code, 'text'),
  };
}
