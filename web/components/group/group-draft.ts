/** `none` is `{not: {any: […]}}`, or `{not: …}` of its only part. */
export const groupKinds = ['all', 'any', 'none'] as const;
export type GroupKind = (typeof groupKinds)[number];

/** A part of a tree that is being edited. Its key is no part of its content. */
export interface Keyed {
  key: string;
}

/** A group of conditions and groups while it is being edited. */
export interface GroupDraft<Leaf extends Keyed> extends Keyed {
  kind: GroupKind;
  parts: PartDraft<Leaf>[];
}

export type PartDraft<Leaf extends Keyed> = GroupDraft<Leaf> | Leaf;

/** What is stored: conditions, and groups of which all, any or none hold. */
export type Tree<Condition> =
  Condition | { all: Tree<Condition>[] } | { any: Tree<Condition>[] } | { not: Tree<Condition> };

let made = 0;
export const nextKey = (): string => `part-${++made}`;

export const isGroup = <Leaf extends Keyed>(part: PartDraft<Leaf>): part is GroupDraft<Leaf> => 'parts' in part;

export function newGroup<Leaf extends Keyed>(kind: GroupKind, parts: PartDraft<Leaf>[] = []): GroupDraft<Leaf> {
  return { key: nextKey(), kind, parts };
}

/** The conditions in a part, at whatever depth. */
export function leavesOf<Leaf extends Keyed>(part: PartDraft<Leaf>): Leaf[] {
  return isGroup(part) ? part.parts.flatMap((one) => leavesOf(one)) : [part];
}

const has = (name: string, value: unknown): boolean => typeof value === 'object' && value !== null && name in value;
const isAll = <C>(tree: Tree<C>): tree is { all: Tree<C>[] } => has('all', tree);
const isAny = <C>(tree: Tree<C>): tree is { any: Tree<C>[] } => has('any', tree);
const isNot = <C>(tree: Tree<C>): tree is { not: Tree<C> } => has('not', tree);
const isCondition = <C>(tree: Tree<C>): tree is C => !isAll(tree) && !isAny(tree) && !isNot(tree);

/** How conditions are read. */
export interface Reading<Condition, Leaf extends Keyed> {
  leaf: (condition: Condition) => Leaf;
  /** What `{not: condition}` is; without it a group of none. */
  negated?: (condition: Condition) => Leaf;
}

function readPart<C, Leaf extends Keyed>(tree: Tree<C>, reading: Reading<C, Leaf>): PartDraft<Leaf> {
  const read = (one: Tree<C>) => readPart(one, reading);
  if (isAll(tree)) return newGroup('all', tree.all.map(read));
  if (isAny(tree)) return newGroup('any', tree.any.map(read));
  if (!isNot(tree)) return reading.leaf(tree);
  const inner = tree.not;
  if (isAny(inner)) return newGroup('none', inner.any.map(read));
  if (reading.negated && isCondition(inner)) return reading.negated(inner);
  return reading.negated && isNot(inner) ? read(inner.not) : newGroup('none', [read(inner)]);
}

/** A stored tree as a draft; a lone condition gets a group around it. */
export function readTree<C, Leaf extends Keyed>(tree: Tree<C>, reading: Reading<C, Leaf>): GroupDraft<Leaf> {
  const part = readPart(tree, reading);
  return isGroup(part) ? part : newGroup('all', [part]);
}

/** How conditions are written. */
export interface Writing<Condition, Leaf extends Keyed> {
  leaf: (leaf: Leaf) => Tree<Condition>;
  /** Whether a group of none that has only this part is written without `any`; it must be read as such a group. */
  standsAlone: (part: PartDraft<Leaf>) => boolean;
  /** Told where each part is written, as a JSON pointer. */
  at?: (part: PartDraft<Leaf>, path: string) => void;
}

/** The tree of a draft, as it is stored. */
export function writeTree<C, Leaf extends Keyed>(part: PartDraft<Leaf>, writing: Writing<C, Leaf>, path = ''): Tree<C> {
  writing.at?.(part, path);
  if (!isGroup(part)) return writing.leaf(part);
  const inside = (name: string) =>
    part.parts.map((one, index) => writeTree<C, Leaf>(one, writing, `${path}/${name}/${index}`));
  if (part.kind === 'all') return { all: inside('all') };
  if (part.kind === 'any') return { any: inside('any') };
  const [only] = part.parts;
  if (part.parts.length === 1 && only !== undefined && writing.standsAlone(only))
    return { not: writeTree<C, Leaf>(only, writing, `${path}/not`) };
  return { not: { any: inside('not/any') } };
}
