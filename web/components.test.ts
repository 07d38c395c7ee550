import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const web = fileURLToPath(new URL('.', import.meta.url));

describe('library components', () => {
  it('have their types in components.d.ts', () => {
    const known = readFileSync(join(web, 'components.d.ts'), 'utf8');
    const used = readdirSync(web, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.vue') && !file.includes('node_modules'))
      .flatMap((file) => [...readFileSync(join(web, file), 'utf8').matchAll(/<(U[A-Z]\w+)/g)].map((match) => match[1]));
    expect([...new Set(used)].filter((name) => !known.includes(`${name}:`))).to.deep.equal([]);
  });
});
