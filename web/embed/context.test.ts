import { expect } from 'chai';
import { UnsecuredJWT } from 'jose';
import { contextOf, contextOfMessage, originsOf, personOf, takeFromAddress } from './context.ts';

describe('context of an embedded page', () => {
  it('comes with an init message, and only what is understood', () => {
    const message = {
      type: 'outreach:init',
      token: 'abc',
      serviceNumberId: 'sn1',
      contactId: 7,
      locale: 'zh-TW',
      timeZone: 'Mars/Crater',
      theme: 'dark',
    };
    expect(contextOfMessage(message)).to.deep.equal({
      token: 'abc',
      serviceNumberId: 'sn1',
      locale: 'zh-Hant',
      theme: 'dark',
    });
  });

  it('is of the same person as long as issuer, tenant and subject are the same', () => {
    const token = (claims: object) => new UnsecuredJWT({ iss: 'i', tenantId: 't', sub: 's', ...claims }).encode();
    const person = personOf(token({ exp: 1 }));
    expect(personOf(token({ exp: 2, roles: ['viewer'] }))).to.equal(person);
    for (const other of [{ sub: 'x' }, { tenantId: 'x' }, { iss: 'x' }])
      expect(personOf(token(other)), JSON.stringify(other)).not.to.equal(person);
    expect(personOf('opaque-1')).not.to.equal(personOf('opaque-2'));
  });

  it('is none without a token, or in another message', () => {
    expect(contextOfMessage({ type: 'other', token: 'abc' })).to.equal(null);
    expect(contextOfMessage('outreach:init')).to.equal(null);
    expect(contextOf({ token: '' })).to.equal(null);
  });

  it('is taken out of query and fragment, leaving the rest', () => {
    const fromQuery = takeFromAddress(new URL('https://a.example/embed/main?token=abc&q=x&theme=light#part'));
    expect(fromQuery).to.deep.equal({ context: { token: 'abc', theme: 'light' }, rest: '/embed/main?q=x#part' });
    const fromHash = takeFromAddress(new URL('https://a.example/embed/main#token=abc&contactId=c1'));
    expect(fromHash).to.deep.equal({ context: { token: 'abc', contactId: 'c1' }, rest: '/embed/main' });
    expect(takeFromAddress(new URL('https://a.example/embed/main?q=x')).context).to.equal(null);
  });

  it('trusts only origins, and none before the server has named them', () => {
    expect(originsOf('https://desk.example http://127.0.0.1:4010,https://x.example')).to.deep.equal([
      'https://desk.example',
      'http://127.0.0.1:4010',
      'https://x.example',
    ]);
    expect(originsOf('__EMBED_ALLOWED_ORIGINS__')).to.deep.equal([]);
    expect(originsOf('* https://x.example/path')).to.deep.equal([]);
  });
});
