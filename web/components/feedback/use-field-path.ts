import { useI18n } from 'vue-i18n';

/**
 * A field's path in words: a place in a list counts from 1, and what an operator named oneself, which is everything below
 * `data`, stays as it is.
 */
export function fieldParts(path: readonly string[], wordOf: (name: string) => string): string[] {
  const own = path.indexOf('data');
  return path.map((part, index) => {
    if (own !== -1 && index > own) return part;
    return /^\d+$/.test(part) ? String(Number(part) + 1) : wordOf(part);
  });
}

/** The parts of a field error's path: a JSON pointer into the body, or `query/…`, `header/…`. */
export function pointerParts(path: string): string[] {
  const [, ...parts] = path.split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Tells a field by its path in the reader's language; a name without a word stays as it is. */
export function useFieldPath(): (path: readonly string[]) => string {
  const { t, te } = useI18n();
  const wordOf = (name: string): string => (te(`field.${name}`) ? t(`field.${name}`) : name);
  return (path) => fieldParts(path, wordOf).join(' › ');
}
