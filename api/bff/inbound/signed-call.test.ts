import { expect } from 'chai';
import { createNonce, sign } from '#domain/signature.ts';
import { requireAppSignature, type SignedCall, signingSecret } from './signed-call.ts';

describe('the signatures of a call', () => {
  const parts = { tenantIntegrationId: 'ti-1', nonce: createNonce(), headers: {}, body: Buffer.from('{}') };
  const signedWith = (secret: string, appSecret = ''): SignedCall => ({
    ...parts,
    signature: sign(secret, parts),
    appSignature: appSecret === '' ? '' : sign(appSecret, parts),
  });

  it('tell which of the integration’s secrets it is signed with, the replaced one up to its time', () => {
    const acceptedUntil = new Date();
    const before = new Date(acceptedUntil.getTime() - 1);
    const secrets = { current: 'new', replaced: { secret: 'old', acceptedUntil } };
    expect(signingSecret(signedWith('new'), secrets, acceptedUntil)).to.equal('current');
    expect(signingSecret(signedWith('old'), secrets, before)).to.equal('replaced');
    expect(signingSecret(signedWith('old'), secrets, acceptedUntil)).to.equal('late');
    expect(signingSecret(signedWith('another'), secrets, before)).to.equal(undefined);
  });

  it('include one of the application’s on lifecycle calls', () => {
    const appSecrets = ['new-app', 'old-app'] as const;
    for (const secret of appSecrets) requireAppSignature(signedWith('new', secret), appSecrets);
    for (const secret of ['', 'another', 'new'])
      expect(() => requireAppSignature(signedWith('new', secret), appSecrets))
        .to.throw()
        .with.property('code', 'unauthorized');
  });
});
