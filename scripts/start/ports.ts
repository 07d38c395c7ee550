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

/** A port that nobody listens on, chosen by the system. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host }, () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
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
