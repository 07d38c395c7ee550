/** Parameters of a bench, such as `minutes=1`, by name. */
export type Parameters = Record<string, number>;

/** What a command line asks for. */
export interface Wanted {
  names: string[];
  parameters: Parameters;
}

/**
 * Reads the words of a command line: names of benches, and parameters such as `minutes=1`. Without a name, all benches
 * are meant.
 * @param known the parameters of each bench.
 * @throws Error for a bench that does not exist, and for a parameter that none of the wanted benches has or that is not
 * a number: what was misspelt would otherwise run for as long as the default takes.
 */
export function readWords(words: readonly string[], known: Record<string, readonly string[]>): Wanted {
  const named = words.filter((word) => !word.includes('='));
  for (const name of named)
    if (!Object.hasOwn(known, name))
      throw new Error(`There is no bench ${name}; there are ${Object.keys(known).join(', ')}`);
  const names = named.length > 0 ? named : Object.keys(known);
  const accepted = new Set(names.flatMap((name) => known[name] ?? []));
  const parameters: Parameters = {};
  for (const word of words.filter((one) => one.includes('='))) {
    const [name = '', ...rest] = word.split('=');
    const value = rest.join('=');
    if (!accepted.has(name))
      throw new Error(`${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no parameter ${name}`);
    if (value.trim() === '' || !Number.isFinite(Number(value))) throw new Error(`${word} is not a number`);
    parameters[name] = Number(value);
  }
  return { names, parameters };
}
