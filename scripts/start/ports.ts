import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A port that must be free, and the setting by which a user moves it. */
export interface NeededPort {
  port: number;
  host: string;
  setting: string;
  what: string;
}

/** Whether a server could listen there now. */
function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
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
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port from ${FIRST_PORT} to ${LAST_PORT}`);
}

/** One line a port that is taken, and a line for each that is wanted twice. */
export async function describeConflicts(needed: NeededPort[]): Promise<string[]> {
  const lines: string[] = [];
  for (const [index, { port, host, setting, what }] of needed.entries()) {
    const twin = needed.slice(0, index).find((other) => other.port === port);
    if (twin) lines.push(`Port ${port} is wanted by both ${twin.setting} and ${setting}`);
    else if (!(await isFree(port, host)))
      lines.push(`Port ${port} (${what}) is in use: end what listens there or set ${setting}`);
  }
  return lines;
}
