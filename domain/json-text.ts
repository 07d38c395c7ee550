const WHITE_SPACE = new Set([' ', '\t', '\n', '\r']);

function skipWhiteSpace(json: string, from: number): number {
  let at = from;
  while (WHITE_SPACE.has(json.charAt(at))) at += 1;
  return at;
}

/** The index after the string that starts at `from`. */
function skipString(json: string, from: number): number {
  let at = from + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** The index after the value that starts at `from`. */
function skipValue(json: string, from: number): number {
  if (json[from] === '"') return skipString(json, from);
  let depth = 0;
  let at = from;
  for (;;) {
    const character = json[at];
    if (character === '"') {
      at = skipString(json, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth <= 0) return depth === 0 ? at + 1 : at;
    } else if (depth === 0 && (character === ',' || WHITE_SPACE.has(character ?? ' '))) return at;
    at += 1;
  }
}

// A whole number of 16 digits or more outside strings; strings are matched so that their contents are skipped.
const LONG_NUMBERS = /"(?:[^"\\]|\\.)*"|(?<![\w.+-])-?\d{16,}(?![\w.])/gs;

const quoted = (found: string) => (found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : `"${found}"`);

/**
 * Like JSON.parse, but whole numbers that a number would round become text: some platforms use them as ids.
 * @throws SyntaxError if the text is not JSON.
 */
export function parseExact(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return /\d{16}/.test(json) ? JSON.parse(json.replaceAll(LONG_NUMBERS, quoted)) : value;
}

/**
 * The text of one member of a JSON object, verbatim: numbers keep their digits, which parsing would round.
 * @param json valid JSON of an object; of duplicate members the last counts, as for JSON.parse.
 */
export function memberText(json: string, name: string): string | undefined {
  let found: string | undefined;
  let at = skipWhiteSpace(json, skipWhiteSpace(json, 0) + 1);
  while (json[at] === '"') {
    const keyEnd = skipString(json, at);
    const key = JSON.parse(json.slice(at, keyEnd)) as string;
    const start = skipWhiteSpace(json, skipWhiteSpace(json, keyEnd) + 1);
    const end = skipValue(json, start);
    if (key === name) found = json.slice(start, end);
    at = skipWhiteSpace(json, skipWhiteSpace(json, end) + 1);
  }
  return found;
}

/** JSON text that is equal for equal values, whatever the order of their keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
