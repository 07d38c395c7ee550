import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { settingsDocument, settingsFile } from './document.ts';

describe('docs/settings.md', () => {
  it('is what npm run settings writes', () => {
    expect(readFileSync(settingsFile, 'utf8')).to.equal(settingsDocument());
  });
});
