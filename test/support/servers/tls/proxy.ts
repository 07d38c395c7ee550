import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Nobody but these tests trusts it; it has signed the proxy's certificate, for localhost and 127.0.0.1. */
export const authorityFile = file('authority.pem');

/** Accepts TLS on a free port and passes what it decrypts to `address`, as a proxy in front of a server does. */
export async function startTlsProxy(
  address: string,
  ALPNProtocols: string[] = ['h2'],
): Promise<{ port: number; stop(): void }> {
  const target = new URL(`tcp://${address}`);
  const server = createServer(
    { cert: readFileSync(file('server.pem')), key: readFileSync(file('server-key.pem')), ALPNProtocols },
    (secured) => {
      const plain = connect(Number(target.port), target.hostname);
      secured.pipe(plain).pipe(secured);
      secured.on('error', () => plain.destroy());
      plain.on('error', () => secured.destroy());
    },
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('the proxy listens on no port');
  return { port: listening.port, stop: () => server.close() };
}
