import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { productionBundle } from '../../test/support/services/outreach-worker.ts';

describe('the workflow bundle', () => {
  it('holds no schemas: every run of a workflow evaluates all of its modules, and zod would be most of that', async () => {
    const { codePath } = await productionBundle();
    const modules = [...readFileSync(codePath, 'utf8').matchAll(/^ {2}!\*{3} (\S+) \*{3}!$/gm)].map(([, path]) => path);
    expect(modules).to.include('./workflows/index.ts');
    expect(modules.filter((path) => path?.includes('/zod/'))).to.deep.equal([]);
  });
});
