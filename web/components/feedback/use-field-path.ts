import { useI18n } from 'vue-i18n';

/**
 * The labels of a field's path. Positions in a list count from 1; everything below `data` was named by the operator and
 * stays as it is.
 */
export function fieldParts(path: readonly string[], labelOf: (name: string) => string): string[] {
  const own = path.indexOf('data');
  return path.map((part, index) => {
    if (own !== -1 && index > own) return part;
    return /^\d+$/.test(part) ? String(Number(part) + 1) : labelOf(part);
  });
}

/** The parts of a field error's path: a JSON pointer into the body, or `query/…`, `header/…`. */
export function pointerParts(path: string): string[] {
  const [, ...parts] = path.split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Names a field by its path in the reader's language; a part without a label stays as it is. */
export function useFieldPath(): (path: readonly string[]) => string {
  const { t, te } = useI18n();
  const labelOf = (name: string): string => (te(`field.${name}`) ? t(`field.${name}`) : name);
  return (path) => fieldParts(path, labelOf).join(' › ');
}
