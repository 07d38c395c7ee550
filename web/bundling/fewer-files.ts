/** What the bundler would put into a file of its own. */
export interface Piece {
  name: string;
  bytes: number;
  /** Names of the pieces that must be there before it. */
  imports: readonly string[];
}

/** Files requested together. */
export interface Load {
  /** Names of pieces, which bring what they import. */
  pieces: readonly string[];
  /** How much it counts beside the others. */
  weight: number;
  /** By which part it may grow at most. */
  growth: number;
}

interface File {
  pieces: string[];
  bytes: number;
  imports: Set<File>;
  /** Which loads request it. */
  loads: boolean[];
}

interface Plan {
  files: Set<File>;
  bytesOfFile: number;
  weights: number[];
  /** By how many bytes each load may still grow. */
  room: number[];
}

interface Candidate {
  one: File;
  other: File;
  gain: number;
}

/** How much those loads count together of which this holds. */
function weigh({ weights }: Plan, holds: (load: number) => boolean | undefined): number {
  let sum = 0;
  for (const [load, weight] of weights.entries()) if (holds(load)) sum += weight;
  return sum;
}

/** These and all that they import, at any distance. */
function withImports(files: Iterable<File>, found = new Set<File>()): Set<File> {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    withImports(file.imports, found);
  }
  return found;
}

/** Whether one file imports the other through a third: as one file, the two and the third would import each other. */
const isBetween = (one: File, other: File): boolean =>
  [...one.imports].some((file) => file !== other && withImports([file]).has(other));

function planOf(pieces: readonly Piece[], loads: readonly Load[], bytesOfFile: number): Plan {
  const files = new Map(
    pieces.map(({ name, bytes }): [string, File] => [
      name,
      { pieces: [name], bytes, imports: new Set(), loads: loads.map(() => false) },
    ]),
  );
  const named = (names: readonly string[]): File[] => names.flatMap((name) => files.get(name) ?? []);
  for (const { name, imports } of pieces) {
    const file = files.get(name);
    for (const imported of named(imports)) if (imported !== file) file?.imports.add(imported);
  }
  const room = loads.map(({ pieces: names, growth }, load) => {
    let bytes = 0;
    for (const file of withImports(named(names))) {
      file.loads[load] = true;
      bytes += file.bytes;
    }
    return bytes * growth;
  });
  return { files: new Set(files.values()), bytesOfFile, weights: loads.map(({ weight }) => weight), room };
}

/** What one file instead of two saves in requests, less what loads request that do not need it; in bytes. */
function gainOf(plan: Plan, one: File, other: File): number {
  const { bytesOfFile } = plan;
  const { loads: ones } = one;
  const { loads: others } = other;
  const unneeded =
    one.bytes * weigh(plan, (load) => others[load] && !ones[load]) +
    other.bytes * weigh(plan, (load) => ones[load] && !others[load]);
  let gain = bytesOfFile * weigh(plan, (load) => ones[load] && others[load]) - unneeded;
  if (gain <= 0) return 0;
  for (const { loads, bytes } of withImports([...one.imports, ...other.imports])) {
    if (loads !== ones && loads !== others)
      gain -= (bytes + bytesOfFile) * weigh(plan, (load) => (ones[load] || others[load]) && !loads[load]);
  }
  return gain;
}

/** By how many bytes each load grows if these become one file. */
function growthOf({ room }: Plan, one: File, other: File): number[] {
  const together = withImports([one, other]);
  return room.map((_, load) => {
    if (one.loads[load] === other.loads[load]) return 0;
    return [...together].reduce((sum, file) => sum + (file.loads[load] ? 0 : file.bytes), 0);
  });
}

const either = ({ loads: one }: File, { loads: other }: File): boolean[] =>
  one.map((holds, load) => holds || other[load] === true);

/** The two as one; what they import is requested by the loads of both. */
function merge({ files }: Plan, one: File, other: File): File {
  const merged: File = {
    pieces: [...one.pieces, ...other.pieces],
    bytes: one.bytes + other.bytes,
    imports: new Set([...one.imports, ...other.imports].filter((file) => file !== one && file !== other)),
    loads: either(one, other),
  };
  for (const file of withImports(merged.imports)) file.loads = either(file, merged);
  files.delete(one);
  files.delete(other);
  for (const { imports } of files) {
    const imported = [imports.delete(one), imports.delete(other)];
    if (imported.includes(true)) imports.add(merged);
  }
  files.add(merged);
  return merged;
}

/** The two as one, if that is possible and no load grows too much. */
function mergeIfPossible(plan: Plan, { one, other }: Candidate): File | null {
  if (isBetween(one, other) || isBetween(other, one)) return null;
  const growth = growthOf(plan, one, other);
  if (growth.some((bytes, load) => bytes > (plan.room[load] ?? 0))) return null;
  plan.room = plan.room.map((bytes, load) => bytes - (growth[load] ?? 0));
  return merge(plan, one, other);
}

/** @returns whether any could be merged: others may then be worth it that were not before. */
function mergeBestFirst(plan: Plan): boolean {
  const { files } = plan;
  const candidates: Candidate[] = [];
  const consider = (one: File, other: File): void => {
    const gain = gainOf(plan, one, other);
    if (gain > 0) candidates.push({ one, other, gain });
  };
  const all = [...files];
  for (const [index, one] of all.entries()) for (const other of all.slice(index + 1)) consider(one, other);
  let isMerged = false;
  while (candidates.length > 0) {
    candidates.sort((one, other) => one.gain - other.gain);
    const best = candidates.pop();
    if (!best || !files.has(best.one) || !files.has(best.other)) continue;
    const gain = gainOf(plan, best.one, best.other);
    if (gain < best.gain) {
      if (gain > 0) candidates.push({ ...best, gain });
      continue;
    }
    const merged = mergeIfPossible(plan, best);
    if (!merged) continue;
    isMerged = true;
    for (const file of files) if (file !== merged) consider(merged, file);
  }
  return isMerged;
}

/**
 * Puts pieces together so that loads need few files and hardly more bytes: as long as the requests that it saves are worth
 * more, at `bytesOfFile` bytes each, than the bytes that loads do not need.
 * @returns the names of the pieces of each file; files never import each other in a circle if the pieces do not.
 */
export function fewerFiles(pieces: readonly Piece[], loads: readonly Load[], bytesOfFile: number): string[][] {
  const plan = planOf(pieces, loads, bytesOfFile);
  let isMerged = true;
  while (isMerged) isMerged = mergeBestFirst(plan);
  return [...plan.files].map(({ pieces: names }) => names);
}
