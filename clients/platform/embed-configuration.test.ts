import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createHttpExchange } from '../http/exchange.ts';
import {
  createSlotRegistration,
  EmbedRegistrationError,
  embedSlots,
  type RegisterSlots,
} from './embed-configuration.ts';

const MEGABYTE = 1_048_576;

describe('registering the embedded slots', () => {
  let sent = 0;
  let server: Server;
  let retryAfter: string | undefined;
  let breaksOff = false;
  let isEndless = false;
  const exchange = createHttpExchange({ timeoutMs: 60_000, connections: 1 });
  let registerSlots: RegisterSlots;
  before(async () => {
    server = createServer((_request, response) => {
      if (isEndless) {
        response.writeHead(200).on('error', () => {});
        const more = () => {
          if (response.destroyed) return;
          sent += MEGABYTE;
          response.write(Buffer.alloc(MEGABYTE), more);
        };
        more();
        return;
      }
      if (breaksOff) {
        response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.destroy());
        return;
      }
      response.writeHead(429, retryAfter === undefined ? {} : { 'Retry-After': retryAfter }).end('slow down');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    registerSlots = createSlotRegistration({ baseUrl, exchange });
  });
  after(async () => {
    await exchange.destroy();
    server.close();
  });

  const signer = { tenantIntegrationId: 'ti-1', secret: 's3cr3t-s3cr3t-s3cr3t-s3cr3t-0001' };
  const register = (): Promise<unknown> =>
    registerSlots(signer, embedSlots('https://bff.example')).catch((error: unknown) => error);

  async function waitAfter(header: string | undefined): Promise<number | null> {
    retryAfter = header;
    const error = await register();
    if (!(error instanceof EmbedRegistrationError)) throw new Error('an error was expected');
    return error.retryAfterMs;
  }

  it('waits as long as the platform says, in seconds or until a date', async () => {
    expect(await waitAfter('7')).to.equal(7000);
    expect(await waitAfter('600')).to.equal(600_000);
    expect(await waitAfter(new Date(Date.now() + 1_200_000).toUTCString())).to.be.within(1_000_000, 1_200_000);
    expect(await waitAfter(undefined)).to.equal(null);
  });

  it('reads no more of a response than its limit', async () => {
    isEndless = true;
    const error = await register();
    isEndless = false;
    expect(error).to.be.an.instanceof(EmbedRegistrationError);
    // What the sockets on the way hold comes on top.
    expect(sent).to.be.below(16 * MEGABYTE);
  });

  it('has no response if it is cut off', async () => {
    breaksOff = true;
    const error = await register();
    expect(error).to.be.an.instanceof(EmbedRegistrationError);
    expect((error as Error).message).to.match(/^The platform did not respond \(\w+\)$/);
  });
});
