import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { baseCompile } from '@intlify/message-compiler';
import type { Plugin } from 'vite';

/** One message as source text: a plain string where nothing is filled in, else the function that fills it in. */
function compileMessage(key: string, text: string): string {
  const refuse = (why: string): never => {
    throw new Error(`message ${key} is not well formed: ${why}`);
  };
  const { ast, code } = baseCompile(text, { jit: false, mode: 'arrow', onError: ({ message }) => refuse(message) });
  // A message without placeholders and forms is known to be static.
  const { body } = ast;
  return 'static' in body && typeof body.static === 'string' ? JSON.stringify(body.static) : code;
}

function compileTree(tree: object, prefix: string): string {
  const entries = Object.entries(tree).map(([name, value]: [string, unknown]) => {
    const key = `${prefix}${name}`;
    const compiled =
      typeof value === 'object' && value !== null ? compileTree(value, `${key}.`) : compileMessage(key, String(value));
    return `${JSON.stringify(name)}:${compiled}`;
  });
  return `{${entries.join(',')}}`;
}

/**
 * A locale file as the source of a module whose messages are compiled already.
 * @throws Error that names the message which is not well formed.
 */
export const messagesModule = (tree: object): string => `export default ${compileTree(tree, '')};`;

/** Vite plugin: serves locale files compiled, so that the message compiler stays out of what a browser loads. */
export function precompileMessages(): Plugin {
  const prefix = '\0messages/';
  const file = (name: string) => fileURLToPath(new URL(`./${name}.json`, import.meta.url));
  return {
    name: 'precompile-messages',
    enforce: 'pre',
    resolveId: (source) => {
      const name = /\/locales\/([\w-]+)\.json$/.exec(source)?.[1];
      return name ? `${prefix}${name}` : null;
    },
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const path = file(id.slice(prefix.length));
      this.addWatchFile(path);
      return messagesModule(JSON.parse(readFileSync(path, 'utf8')) as object);
    },
  };
}
