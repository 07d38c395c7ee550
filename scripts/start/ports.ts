import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A port that must be free, and the setting that changes it. */
export interface NeededPort {
  port: number;
  host: string;
  setting: string;
  what: string;
}

/** The system's error code if no server can listen there now; null if one can. */
function obstacle(port: number, host = '127.0.0.1'): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

// Below the systems' ephemeral ports: an outgoing connection could take one of those before the server does.
const FIRST_PORT = 10_240;
const LAST_PORT = 32_000;
const given = new Set<number>();

/** A port that nobody listens on and that this process has not returned before. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (given.has(port)) continue;
    given.add(port);
    if ((await obstacle(port)) === null) return port;
  }
  throw new Error(`There is no free port between ${FIRST_PORT} and ${LAST_PORT}`);
}

/** Not an address of this machine, whatever the port. */
const noAddress = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL']);

/**
 * One line per port that is taken or not allowed, one per port used twice, and one for a host that is not this
 * machine's.
 */
export async function describeConflicts(needed: NeededPort[]): Promise<string[]> {
  const lines = new Set<string>();
  for (const [index, { port, host, setting, what }] of needed.entries()) {
    const twin = needed.slice(0, index).find((other) => other.port === port);
    const code = twin ? null : await obstacle(port, host);
    if (twin) lines.add(`Port ${port} is used by both ${twin.setting} and ${setting}`);
    else if (code !== null && noAddress.has(code)) lines.add(`HOST: cannot listen on ${host} (${code})`);
    else if (code === 'EADDRINUSE')
      lines.add(`Port ${port} (${what}) is in use: stop what listens there or set ${setting}`);
    else if (code !== null) lines.add(`Cannot listen on port ${port} (${what}) (${code}): set ${setting}`);
  }
  return [...lines];
}
