const BITS = 32;

const bitOf = (state: number): number => 1 << (state % BITS);

function setOf(size: number, states: Iterable<number>): Int32Array {
  const set = new Int32Array(Math.ceil(size / BITS));
  for (const state of states) set[(state / BITS) | 0] = (set[(state / BITS) | 0] ?? 0) | bitOf(state);
  return set;
}

/** What a pattern is without its stars, and after how many of its characters they stand. */
function parse(pattern: string): { characters: string[]; stars: Set<number> } {
  const characters: string[] = [];
  const stars = new Set<number>();
  for (const character of pattern)
    if (character === '*') stars.add(characters.length);
    else characters.push(character);
  return { characters, stars };
}

/** For each character, which of the pattern's it may stand for. */
function places(characters: string[], size: number): (character: string) => Int32Array {
  const known = new Map<string, Int32Array>();
  return (character) => {
    const found =
      known.get(character) ??
      setOf(
        size,
        characters.flatMap((wanted, index) => (wanted === '?' || wanted === character ? [index] : [])),
      );
    known.set(character, found);
    return found;
  };
}

/**
 * `*` stands for any number of characters, including none, `?` for exactly one. All ways to match are followed at once, as a set
 * of bits: how many characters of the pattern may be matched by now (the shift-and algorithm of Baeza-Yates and Gonnet, with a
 * loop for each star). So the time grows with the length of the value times that of the pattern / 32, whatever they contain.
 */
export function matchesGlob(pattern: string, value: string): boolean {
  const { characters, stars } = parse(pattern);
  const end = characters.length;
  const placesOf = places(characters, end + 1);
  const loops = setOf(end + 1, stars);
  let matched = setOf(end + 1, [0]);
  let next = setOf(end + 1, []);
  for (const character of value) {
    const here = placesOf(character);
    let carry = 0;
    let isAlive = 0;
    for (let word = 0; word < matched.length; word += 1) {
      const bits = matched[word] ?? 0;
      const taken = bits & (here[word] ?? 0);
      const state = (taken << 1) | carry | (bits & (loops[word] ?? 0));
      next[word] = state;
      carry = taken >>> (BITS - 1);
      isAlive |= state;
    }
    if (isAlive === 0) return false;
    [matched, next] = [next, matched];
  }
  return ((matched[(end / BITS) | 0] ?? 0) & bitOf(end)) !== 0;
}
