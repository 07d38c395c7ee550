import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const web = fileURLToPath(new URL('.', import.meta.url));

const components = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.vue') && !file.includes('node_modules'))
  .map((file) => ({ file, code: readFileSync(join(web, file), 'utf8') }));

describe('library components', () => {
  it('have their types in components.d.ts', () => {
    const known = readFileSync(join(web, 'components.d.ts'), 'utf8');
    const used = components.flatMap(({ code }) => [...code.matchAll(/<(U[A-Z]\w+)/g)].map((match) => match[1]));
    expect([...new Set(used)].filter((name) => !known.includes(`${name}:`))).to.deep.equal([]);
  });
});

describe('tables', () => {
  it('have a cell for each of their columns', () => {
    // Where slots are named by a variable, as `#[arm]`, nothing can be read here.
    const tables = components.filter(({ code }) => code.includes('<DataTable') && !code.includes('#['));
    expect(tables.length).to.be.greaterThan(10);
    const without = tables.flatMap(({ file, code }) =>
      [...code.matchAll(/\bkey: '(\w+)'/g)]
        .map(([, key]) => key ?? '')
        .filter((key) => !new RegExp(`#${key}[=>\\s]`).test(code))
        .map((key) => `${file}: ${key}`),
    );
    expect(without).to.deep.equal([]);
  });
});
