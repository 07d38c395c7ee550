/** Strings, structural characters, and whatever else stands between them (numbers and words). */
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** The JSON inside a string, such as the data of a postback; null where there is none. */
function heldJson(token: string): string | null {
  if (!token.startsWith('"{\\"')) return null;
  try {
    const text: unknown = JSON.parse(token);
    if (typeof text !== 'string') return null;
    JSON.parse(text);
    return text;
  } catch {
    return null;
  }
}

/**
 * Lays out JSON text with one member per line. Only white space changes: parsing would round long numbers. JSON inside a
 * string is laid out as well, between its quotes. Text that is not JSON stays readable.
 */
export function layOutJson(json: string): string {
  let depth = 0;
  let laidOut = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  const found = json.match(tokens) ?? [];
  for (const [index, token] of found.entries()) {
    const before = found[index - 1];
    const empty = (before === '{' && token === '}') || (before === '[' && token === ']');
    if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      laidOut += empty ? token : line() + token;
    } else {
      if (before === '{' || before === '[' || before === ',') laidOut += line();
      const held = heldJson(token);
      if (held !== null) laidOut += `"${layOutJson(held).replaceAll('\n', line())}"`;
      else laidOut += token === ':' ? ': ' : token;
      if (token === '{' || token === '[') depth += 1;
    }
  }
  return laidOut;
}
