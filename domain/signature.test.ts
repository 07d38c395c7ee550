import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { authorize, createNonce, NONCE, verify } from './signature.ts';

interface Case {
  why?: string;
  secret: string;
  tenantIntegrationId: string;
  nonce: string;
  body: string;
  authorization: string;
}

const vectors = JSON.parse(readFileSync(new URL('../test/vectors/signature.json', import.meta.url), 'utf8')) as {
  valid: Case[];
  invalid: Case[];
};

describe('signature vectors', () => {
  it('come in both kinds', () => {
    expect(vectors.valid.length).to.be.greaterThan(0);
    expect(vectors.invalid.length).to.be.greaterThan(0);
  });

  vectors.valid.forEach((vector, index) => {
    it(`signs and accepts valid ${index}`, () => {
      expect(authorize(vector.secret, vector)).to.equal(vector.authorization);
      expect(verify(vector.secret, vector.nonce, Buffer.from(vector.body), vector.authorization)).to.equal(true);
    });
  });

  vectors.invalid.forEach((vector) => {
    it(`rejects: ${vector.why}`, () => {
      expect(verify(vector.secret, vector.nonce, Buffer.from(vector.body), vector.authorization)).to.equal(false);
    });
  });
});

describe('createNonce', () => {
  it('returns 32 lowercase hex characters, different each time', () => {
    const nonces = Array.from({ length: 100 }, createNonce);
    expect(new Set(nonces).size).to.equal(100);
    for (const nonce of nonces) expect(nonce).to.match(NONCE);
  });
});
