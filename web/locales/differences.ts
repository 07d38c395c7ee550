/** Every string of a locale file by its dotted key. */
export function flatten(tree: unknown, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  if (typeof tree === 'string') flat.set(prefix, tree);
  else if (typeof tree === 'object' && tree !== null) {
    for (const [key, value] of Object.entries(tree)) {
      for (const [path, text] of flatten(value, prefix ? `${prefix}.${key}` : key)) flat.set(path, text);
    }
  }
  return flat;
}

function placeholders(text: string): string {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return [...new Set(names)].sort().join(' ');
}

/** Strings that only one locale has, empty strings, and placeholders that differ; empty if both are complete. */
export function differences(first: unknown, second: unknown): string[] {
  const left = flatten(first);
  const right = flatten(second);
  const found: string[] = [];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const one = left.get(key);
    const other = right.get(key);
    if (one === undefined) found.push(`${key}: only in the second`);
    else if (other === undefined) found.push(`${key}: only in the first`);
    else if (one.trim() === '' || other.trim() === '') found.push(`${key}: empty`);
    else if (placeholders(one) !== placeholders(other)) found.push(`${key}: placeholders differ`);
  }
  return found;
}
