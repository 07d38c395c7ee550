import { expect } from 'chai';
import { createCookieJar } from './cookies.ts';

describe('cookies', () => {
  it('are __Host- cookies with Secure if the public address is HTTPS', async () => {
    const written: string[] = [];
    const ctx = { append: (_: string, text: string) => written.push(text) } as never;
    createCookieJar('https://bff.example').write(ctx, 'session', 'x', 60);
    expect(written).to.deep.equal(['__Host-session=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure']);
  });
});
