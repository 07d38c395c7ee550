import { expect } from 'chai';
import type { RingKey } from '../domain/keys/key-ring.ts';
import { createEncryption } from './encryption.ts';

const keyOf = (byte: number, id: string | null = null): RingKey => ({
  id,
  key: Buffer.alloc(32, byte).toString('base64'),
});
const encryption = createEncryption([keyOf(7)]);

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
    const other = createEncryption([keyOf(8)]);
    expect(() => encryption.decrypt(sealed, 'b')).to.throw();
    expect(() => other.decrypt(sealed, 'a')).to.throw();
    expect(() => encryption.decrypt(altered, 'a')).to.throw();
    for (const wrong of ['plain', 'v1.', 'v2.abc', 'v3.id.text', 'v1.short'])
      expect(() => encryption.decrypt(wrong, 'a'), wrong).to.throw();
  });

  it('requires a key of 32 bytes', () => {
    expect(() => createEncryption([{ id: null, key: 'c2hvcnQ=' }])).to.throw('32 bytes');
  });

  it('seals with the first of several keys, names it in the text, and opens what any of them sealed', () => {
    const [old, recent] = [keyOf(1, 'old'), keyOf(2, 'new_2')];
    const before = createEncryption([old, recent]);
    const after = createEncryption([recent, old]);
    const sealed = before.encrypt('x', 'a');
    expect(sealed).to.match(/^v2\.old\./);
    expect(after.encrypt('x', 'a')).to.match(/^v2\.new_2\./);
    for (const [by, text] of [
      [before, after.encrypt('y', 'a')],
      [after, before.encrypt('y', 'a')],
    ] as const)
      expect(by.decrypt(text, 'a')).to.equal('y');
    expect(() => createEncryption([recent]).decrypt(sealed, 'a')).to.throw('the key old');
    expect(() => createEncryption([keyOf(3, 'old')]).decrypt(sealed, 'a')).to.throw();
    expect(() => after.decrypt(sealed.replace('v2.old', 'v2.new_2'), 'a')).to.throw();
  });

  it('opens what was sealed by the only key before keys had ids', () => {
    const sealed = encryption.encrypt('x', 'a');
    expect(createEncryption([keyOf(2, 'new'), keyOf(7, 'first')]).decrypt(sealed, 'a')).to.equal('x');
    expect(createEncryption([keyOf(2, 'new'), keyOf(7)]).decrypt(sealed, 'a')).to.equal('x');
    expect(() => createEncryption([keyOf(2, 'new')]).decrypt(sealed, 'a')).to.throw();
  });

  it('opens with the only key, which has no id here, what was sealed by it under one', () => {
    const sealed = createEncryption([keyOf(7, 'first'), keyOf(2, 'new')]).encrypt('x', 'a');
    expect(encryption.decrypt(sealed, 'a')).to.equal('x');
  });
});
