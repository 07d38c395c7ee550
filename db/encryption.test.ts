import { expect } from 'chai';
import { createEncryption } from './encryption.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const encryption = createEncryption(key);

describe('encryption', () => {
  it('returns the text for the same key and context', () => {
    const sealed = encryption.encrypt('geheim ✓', 'a');
    expect(sealed).to.match(/^v1\./).and.not.contain('geheim');
    expect(encryption.decrypt(sealed, 'a')).to.equal('geheim ✓');
  });

  it('seals the same text differently each time', () => {
    expect(encryption.encrypt('x', 'a')).to.not.equal(encryption.encrypt('x', 'a'));
  });

  it('rejects another context, another key and an altered text', () => {
    const sealed = encryption.encrypt('x', 'a');
    const altered = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
    const other = createEncryption(Buffer.alloc(32, 8).toString('base64'));
    expect(() => encryption.decrypt(sealed, 'b')).to.throw();
    expect(() => other.decrypt(sealed, 'a')).to.throw();
    expect(() => encryption.decrypt(altered, 'a')).to.throw();
    expect(() => encryption.decrypt('plain', 'a')).to.throw('Not a sealed text');
  });

  it('requires a key of 32 bytes', () => {
    expect(() => createEncryption('c2hvcnQ=')).to.throw('32 bytes');
  });
});
