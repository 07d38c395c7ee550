import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../../dist/web/', import.meta.url));
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export interface StaticPage {
  address: string;
  stop(): void;
}

/**
 * A page that loads what a page of the console loads, runs none of it and shows a sentence: what a browser needs for the
 * files alone.
 * @param html of the console's page.
 */
export async function serveStaticPage(html: string): Promise<StaticPage> {
  const page = html
    .replace(/<script type="module"[^>]* src="([^"]+)"><\/script>/, '<link rel="modulepreload" crossorigin href="$1">')
    .replace(/<link rel="preload"[^>]*>/, '')
    .replace('<div id="app"></div>', '<p>Sandbox: messages go to a simulated platform and reach no real person.</p>');
  async function respond(path: string, response: ServerResponse): Promise<void> {
    const file = join(built, path);
    const isAsset = path.startsWith('/assets/');
    const content = await readFile(isAsset ? `${file}.br` : file).catch(() => null);
    if (content === null) return void response.writeHead(404).end();
    const type = types[extname(path)] ?? 'text/plain';
    response.writeHead(200, { ...(isAsset && { 'content-encoding': 'br' }), 'content-type': type }).end(content);
  }
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/') response.setHeader('content-type', 'text/html').end(page);
    else void respond(url, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
