import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { bffOpenApi } from '#api/bff/openapi.ts';
import { escapeHtml } from '#api/http/html.ts';
import type { Settings } from '#domain/settings/settings.ts';
import { projectFolder } from '../start/services.ts';

const web = join(projectFolder, 'web');

/** Beside what is described: its documentation, and files at fixed addresses. */
const undescribed = ['/docs', '/.well-known'];

/** Where the BFF answers; everything else is the console's. `web/api` has modules, so `/api` alone would be too much. */
function addressesOfBff(): string {
  const described = Object.keys(bffOpenApi().paths ?? {}).map((path) =>
    path
      .split('/')
      .slice(0, path.startsWith('/api/') ? 3 : 2)
      .join('/'),
  );
  const all = [...new Set([...described, ...undescribed])];
  return `^(${all.map((path) => path.replaceAll('.', String.raw`\.`)).join('|')})(/|\\?|$)`;
}

/** What the BFF does with the console's page. */
const asServed = ({ EMBED_ALLOWED_ORIGINS: origins }: Settings): Plugin => ({
  name: 'as served by the BFF',
  transformIndexHtml: (html) => html.replaceAll('__EMBED_ALLOWED_ORIGINS__', escapeHtml(origins.join(' '))),
  configureServer: ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      if (request.url !== '/') return next();
      response.writeHead(302, { location: '/app' }).end();
    });
  },
});

/**
 * Serves the console from its sources at the BFF's public address, and passes everything else on to the BFF: sign-in, embedding
 * and webhooks are as without it.
 * @throws if the port is in use.
 */
export async function serveConsole(
  settings: Settings,
  { port, bff }: { port: number; bff: string },
): Promise<ViteDevServer> {
  const server = await createServer({
    configFile: join(web, 'vite.config.ts'),
    cacheDir: join(projectFolder, 'dist/dev/vite'),
    logLevel: 'warn',
    plugins: [asServed(settings)],
    server: {
      host: settings.HOST,
      port,
      strictPort: true,
      proxy: { [addressesOfBff()]: { target: bff } },
      fs: { allow: [projectFolder, realpathSync(join(projectFolder, 'node_modules'))] },
    },
  });
  return await server.listen();
}
