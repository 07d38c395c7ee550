/** Letters that are written from right to left, and marks that turn the direction of what follows them. */
const turning =
  /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC]|[\uD802-\uD803\uD83A-\uD83B]/;
const turns = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * A name as part of a sentence: whatever direction it is written in, the sentence keeps its own (Unicode UAX 9, FSI and
 * PDI). Marks in it that would end the isolation, or turn the name itself, are left out.
 */
export const isolate = (name: string): string =>
  turning.test(name) ? `\u2068${name.replaceAll(turns, '')}\u2069` : name;

const isolateText = (value: unknown): unknown => (typeof value === 'string' ? isolate(value) : value);

/** The same for the values of a message, given by name, in a list or alone. */
export function isolateValues(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(isolateText);
  if (typeof given !== 'object' || given === null) return isolateText(given);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, isolateText(value)]));
}
