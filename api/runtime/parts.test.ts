import { expect } from 'chai';
import { SettingsError } from '#domain/settings/settings.ts';
import { parseParts } from './parts.ts';

describe('the parts of a service', () => {
  it('both run without a flag, and one alone with a flag', () => {
    expect(parseParts([])).to.deep.equal({ api: true, worker: true });
    expect(parseParts(['--api-only'])).to.deep.equal({ api: true, worker: false });
    expect(parseParts(['--worker-only'])).to.deep.equal({ api: false, worker: true });
  });

  it('cannot be combined, and other flags are rejected', () => {
    expect(() => parseParts(['--api-only', '--worker-only'])).to.throw(SettingsError, 'cannot be combined');
    expect(() => parseParts(['--apionly'])).to.throw(SettingsError, '--apionly');
  });
});
