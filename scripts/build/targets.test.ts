import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { productionBundle } from '#test/support/services/outreach-worker.ts';

interface SourceMap {
  sources: string[];
  sourcesContent?: string[];
}

describe('the workflow bundle', () => {
  it('holds no schemas: every run of a workflow evaluates all of its modules, and zod would be most of that', async () => {
    const { codePath } = await productionBundle();
    const [, map = ''] = readFileSync(codePath, 'utf8').split('sourceMappingURL=data:application/json;base64,');
    const { sources, sourcesContent } = JSON.parse(Buffer.from(map, 'base64').toString()) as SourceMap;
    expect(sources.filter((path) => path.endsWith('/workflows/index.ts'))).to.have.length(1);
    expect(sources.filter((path) => path.includes('/zod/'))).to.deep.equal([]);
    expect(sourcesContent, 'sources in memory').to.equal(undefined);
  });
});
