/** Strings, structural characters, and whatever else stands between them (numbers and words). */
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** The JSON that a string holds, such as the data of a postback; null where it holds none. */
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
 * JSON text with one member a line. Only white space changes: numbers keep their digits, which parsing would round. A string
 * that holds JSON is laid out like it, between its quotes. What is no JSON stays readable.
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
