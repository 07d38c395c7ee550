import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Router } from '@koa/router';
import { z } from 'zod';
import type { SandboxToken } from '#clients/sandbox/tokens.ts';
import { type Asset, assetOf, sendCompressed } from './compressed.ts';
import { escapeHtml } from './html.ts';
import type { OpenApiDocument } from './openapi.ts';
import { createRouter } from './router.ts';

/** Everything comes from this service, to which the examples are sent. Scalar adds its styles as it starts. */
const pagePolicy = [
  "default-src 'none'",
  "object-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const YEAR_SECONDS = 31_536_000;

/** The package for a web server holds Scalar as one file, which the package for browsers brings 270 others for. */
const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')));
const scalarFile = join(packageFolder, 'dist/js/standalone.js');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')));

/** Changes with the version, so that browsers can keep the file. */
const scalarName = `scalar-${version}.js`;

/** What Scalar's settings do not reach. */
const styles = `
  /* It cuts a response's description off after a line; ours are the error codes, one a line. */
  .parameter-item-trigger :is(div, span, p, ul) {
    height: auto !important; max-height: none !important; overflow: visible !important; white-space: normal !important;
    -webkit-line-clamp: unset !important;
  }
  .parameter-item-trigger li { display: block !important; }
  /* Its greys and colours have less contrast than text needs. */
  .light-mode {
    --scalar-color-2: #4b5563; --scalar-color-3: #565d68; --scalar-color-green: #00633e; --scalar-color-blue: #00538f;
    --scalar-color-orange: #7f4500; --scalar-color-red: #a5103a; --scalar-color-purple: #5f3791;
    --scalar-color-yellow: #6b5000;
  }
  .dark-mode { --scalar-color-2: #c0c4cc; --scalar-color-3: #b3b8c2; --scalar-color-red: #ff8f8f; }
  /* A list that scrolls in itself cannot be reached by keyboard: all of it is shown, and long paths wrap. */
  .endpoints, .scalar-card-content:has(.endpoints) { max-height: none !important; overflow: visible !important; }
  .endpoints { min-width: 0; }
  .endpoint, .endpoint-path { min-width: 0; overflow-wrap: anywhere !important; white-space: normal !important; }
  /* The examples beside each operation are curl; the choice of a library cannot be named or reached either. */
  .client-libraries-content { display: none !important; }
  /* Its buttons are up to 4 px wider than a narrow window. */
  #reference { overflow-x: clip; }`;

/**
 * A separate script, since inline scripts do not run. Nothing is loaded from or sent to Scalar's own servers, and a
 * token is not kept beyond the page.
 */
const startScript = (withSandboxToken: boolean): string => `const token = ${
  withSandboxToken
    ? `await fetch('/docs/sandbox-token', { method: 'POST' })
  .then(async (response) => (response.ok ? (await response.json()).token : ''))
  .catch(() => '')`
    : "''"
};
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  servers: [{ url: location.origin }],
  authentication: { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token } } },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenAllTags: true,
  customCss: ${JSON.stringify(styles)},
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

const page = (title: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
  <link rel="icon" href="data:,"></head>
  <body><div id="reference"></div><noscript><a href="/openapi.json">OpenAPI document</a></noscript>
  <script src="/docs/${scalarName}"></script><script type="module" src="/docs/start.js"></script></body></html>`;

/**
 * Describes a service's API: `/openapi.json` for programs, `/docs` for people. With the sandbox, the page's examples
 * run in the name of one of its people.
 */
export function documentRoutes(describe: () => OpenApiDocument, sandboxToken: SandboxToken | null): Router {
  // Megabytes that a start does not need.
  let described: OpenApiDocument | undefined;
  const documented = () => (described ??= describe());
  const script = startScript(sandboxToken !== null);
  let scalar: Promise<Asset> | undefined;
  const router = createRouter();
  router.get('/openapi.json', (ctx) => {
    ctx.body = documented();
  });
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', pagePolicy);
    ctx.type = 'html';
    ctx.body = page(documented().info.title);
  });
  router.get('/docs/start.js', (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = script;
  });
  router.get(`/docs/${scalarName}`, async (ctx) => {
    scalar ??= readFile(scalarFile).then(assetOf);
    ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
    await sendCompressed(ctx, scalarName, await scalar);
  });
  if (sandboxToken)
    router.post('/docs/sandbox-token', async (ctx) => {
      ctx.set('Cache-Control', 'no-store');
      ctx.body = { token: await sandboxToken() };
    });
  return router;
}
