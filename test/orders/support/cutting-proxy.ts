import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * When to cut a connection to PostgreSQL, once: when its client sends COMMIT after it has sent what the proxy is armed by;
 * `after-statement`: when it has sent that, which commits itself.
 */
export type Cut = 'before-commit' | 'after-commit' | 'after-statement';

/**
 * A TCP proxy in front of PostgreSQL that cuts one connection around the COMMIT of a transaction chosen by a test.
 */
export async function startCuttingProxy(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let armed: { cut: Cut; by: string } | null = null;
  let cuts = 0;
  let open = true;

  function pair(client: Socket): void {
    if (!open) return void client.destroy();
    const server = connect(Number(target.port), target.hostname);
    let pointedOut = false;
    let swallowing = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('data', (data) => {
      const text = data.toString('latin1');
      if (armed && text.includes(armed.by)) pointedOut = true;
      if (armed && pointedOut && (armed.cut === 'after-statement' || text.includes('COMMIT;'))) {
        const { cut } = armed;
        armed = null;
        cuts += 1;
        if (cut === 'before-commit') return end();
        // Drops PostgreSQL's response, and the connection with it.
        swallowing = true;
      }
      server.write(data);
    });
    server.on('data', (data) => {
      if (swallowing) end();
      else client.write(data);
    });
  }

  const proxy = createServer(pair);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  return {
    url: through.toString(),
    arm: (cut: Cut, by: string) => {
      armed = { cut, by };
    },
    cuts: () => cuts,
    /** Cuts everything and lets nothing through, until `mend`. */
    break: () => {
      open = false;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      open = true;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export type CuttingProxy = Awaited<ReturnType<typeof startCuttingProxy>>;
