import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import { freePort } from '#scripts/start/ports.ts';
import { createOidcClient } from './oidc.ts';

describe('the client of the identity service', () => {
  it('responds 503 while the identity service is down, and works once it is up', async () => {
    const port = await freePort();
    const issuer = `http://127.0.0.1:${port}`;
    const client = createOidcClient({
      issuer,
      clientId: 'c',
      clientSecret: 's',
      redirectUri: 'http://bff.example/cb',
      signedOutUri: 'http://bff.example/app',
    });
    const failed = await client.begin().catch((error: unknown) => error);
    expect(failed).to.include({ code: 'unavailable' });
    const server: Server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize` }));
    });
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    try {
      expect((await client.begin()).location).to.match(new RegExp(`^${issuer}/authorize`));
      // This one ends no sessions and revokes no tokens.
      expect(await client.signedOutAt('an ID token')).to.equal(null);
      await client.revoke('a refresh token');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
