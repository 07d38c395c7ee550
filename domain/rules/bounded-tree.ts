/** How large a tree of `all`, `any` and `not` may be. */
export interface TreeBounds {
  levels: number;
  nodes: number;
}

/** Whether the value is cheap to walk; checked before any recursive parser sees it. */
export function isBoundedTree(value: unknown, { levels, nodes: most }: TreeBounds): boolean {
  let nodes = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    nodes += level.length;
    if (depth >= levels || nodes > most) return false;
    level = level.flatMap((node) => {
      if (node === null || typeof node !== 'object') return [];
      const { all, any, not } = node as Record<string, unknown>;
      return [all, any].flatMap((list) => (Array.isArray(list) ? list : [])).concat(not === undefined ? [] : [not]);
    });
  }
  return true;
}
