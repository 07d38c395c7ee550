import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { secretsOf } from '#domain/settings/settings.ts';
import { join } from 'node:path';
import { projectFolder } from '../start/services.ts';
import { secretsLine, settingsDocument, settingsFile } from './document.ts';

describe('docs/settings.md', () => {
  it('is what npm run settings writes', () => {
    expect(readFileSync(settingsFile, 'utf8')).to.equal(settingsDocument());
  });

  it('README names the secrets of each service', () => {
    const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8').replaceAll(/\s+/g, ' ');
    for (const service of ['bff', 'backend', 'orders'] as const) expect(readme).to.include(secretsLine(service));
    expect(Object.keys(secretsOf)).to.have.length(3);
  });
});
