/** A one-line change to the code, as a mistake would make it, that some test has to notice. */
export interface Mutant {
  /** Path of the changed file. */
  file: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
  /** Parts of the paths of the test files that cover it; each fits at least one. */
  tests: readonly string[];
  /** What would go wrong. */
  why: string;
}

/** As one line. */
export const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** How many words two lists begin with in common. */
function commonStart(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((word, index) => word !== other[index]);
  return end < 0 ? one.length : end;
}

/** A mutant on one line: where, and which words become which. */
export function describeMutant({ file, from, to }: Mutant): string {
  const [before, after] = [flat(from).split(' '), flat(to).split(' ')];
  const start = commonStart(before, after);
  const [left, right] = [before.slice(start), after.slice(start)];
  const end = commonStart(left.toReversed(), right.toReversed());
  const shown = (words: string[]) => words.slice(0, words.length - end).join(' ') || '(nothing)';
  return `${file}: ${shown(left)} → ${shown(right)}`;
}

/** What is wrong with a mutant of these sources; null if it can be applied. */
export function faultOf(mutant: Mutant, source: string | null, testFiles: readonly string[]): string | null {
  const { file, from, to, tests } = mutant;
  if (source === null) return `${file}: there is no such file`;
  const count = source.split(from).length - 1;
  if (count !== 1) return `${file}: “${flat(from)}” occurs ${count} times, not once`;
  if (from === to) return `${file}: “${flat(from)}” is not changed`;
  const unknown = tests.find((part) => !testFiles.some((path) => path.includes(part)));
  if (tests.length === 0 || unknown !== undefined) return `${file}: no test file for “${unknown ?? flat(from)}”`;
  return null;
}
