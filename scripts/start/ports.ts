import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A port that must be free, and the setting by which a user moves it. */
export interface NeededPort {
  port: number;
  host: string;
  setting: string;
  what: string;
}

/** Why no server could listen there now, as the system's code for it; null where one could. */
function obstacle(port: number, host = '127.0.0.1'): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

// Below what systems lend to outgoing connections: one of those could take a port before its server does.
const FIRST_PORT = 10_240;
const LAST_PORT = 32_000;
const given = new Set<number>();

/** A port that nobody listens on, and that this process has not given before. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (given.has(port)) continue;
    given.add(port);
    if ((await obstacle(port)) === null) return port;
  }
  throw new Error(`There is no free port from ${FIRST_PORT} to ${LAST_PORT}`);
}

/** That is no address of this machine, whatever the port. */
const noAddress = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL']);

/** One line a port that is taken or not allowed, one for each that is wanted twice, and one for a host that is none of ours. */
export async function describeConflicts(needed: NeededPort[]): Promise<string[]> {
  const lines = new Set<string>();
  for (const [index, { port, host, setting, what }] of needed.entries()) {
    const twin = needed.slice(0, index).find((other) => other.port === port);
    const code = twin ? null : await obstacle(port, host);
    if (twin) lines.add(`Port ${port} is wanted by both ${twin.setting} and ${setting}`);
    else if (code !== null && noAddress.has(code)) lines.add(`HOST: nothing can listen at ${host} (${code})`);
    else if (code === 'EADDRINUSE')
      lines.add(`Port ${port} (${what}) is in use: end what listens there or set ${setting}`);
    else if (code !== null) lines.add(`Port ${port} (${what}) cannot be listened on (${code}): set ${setting}`);
  }
  return [...lines];
}
