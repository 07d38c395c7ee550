import { createServer } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import type { Browser, Page } from 'playwright-core';
import getRawBody from 'raw-body';
import { type Rules, violationsOf } from '../support/browser/accessible.ts';
import { takeScreenshot, openPage } from '../support/browser/open-page.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import { isWhole } from '../support/extent.ts';
import { listen } from '../support/http/listen.ts';
import { eventually } from '../support/time/eventually.ts';
import { bffOpenApi } from '#api/bff/openapi.ts';
import { ordersOpenApi } from '#api/orders/openapi.ts';
import { documentRoutes } from '#api/http/docs.ts';
import type { OpenApiDocument } from '#api/http/openapi.ts';

interface Sent {
  request: string;
  authorization: string;
  body: unknown;
}

interface Served {
  base: string;
  /** What the page's examples sent. */
  sent: Sent[];
  stop(): void;
}

interface Opened extends Omit<Served, 'stop'> {
  page: Page;
  close(): Promise<void>;
  /** Fails if anything was requested elsewhere, thrown or logged as an error. */
  expectUntroubled(): void;
}

type SandboxToken = (() => Promise<string>) | null;

/** The addresses of a document, and a service behind them that only notes what it is sent. */
async function serveDocs(document: OpenApiDocument, sandboxToken: SandboxToken): Promise<Served> {
  const sent: Sent[] = [];
  const app = new Koa().use(documentRoutes(() => document, sandboxToken).routes());
  app.use(async (ctx) => {
    const body = (await getRawBody(ctx.req)).toString();
    sent.push({
      request: `${ctx.method} ${ctx.path}`,
      authorization: ctx.get('authorization'),
      body: body === '' ? null : JSON.parse(body),
    });
    ctx.body = { noted: true };
  });
  const server = createServer(app.callback());
  const base = await listen(server);
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { base, sent, stop };
}

/** The page of a document, drawn: it takes seconds for each that is opened. */
async function openDocs(browser: Browser, document: OpenApiDocument, sandboxToken: SandboxToken): Promise<Opened> {
  const { base, sent, stop } = await serveDocs(document, sandboxToken);
  const { page, complaints } = await openPage(browser);
  const requested: string[] = [];
  const logged: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  const response = await page.goto(`${base}/docs`);
  expect(response?.headers()['content-security-policy']).to.include("script-src 'self';").and.not.include('http');
  await page.locator('section[id*="/tag/"]').first().waitFor();
  return {
    base,
    page,
    sent,
    close: async () => {
      await page.context().close();
      stop();
    },
    expectUntroubled: () => {
      const elsewhere = requested.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(base));
      expect([elsewhere, complaints, logged]).to.deep.equal([[], [], []]);
    },
  };
}

/** The part of the page about one operation, once it is drawn. */
async function operationOf(page: Page, method: string, path: string) {
  const section = page.locator(`section[id$="/${method}${path}"]`);
  const id = await section.getAttribute('id');
  await page.evaluate(`location.hash = ${JSON.stringify(id ?? '')}`);
  await section.getByRole('button', { name: 'Test Request' }).waitFor();
  return section;
}

const services = [
  {
    service: 'bff',
    document: bffOpenApi(),
    method: 'POST',
    path: '/api/v1/tags',
    body: { serviceNumberId: 'sn-harbor', name: 'Likes beans', kind: 'permanent' },
    nested: 'serviceNumberId',
    codes: ['conflict', 'Conflicts with the current state', 'forbidden', 'Not allowed'],
  },
  {
    service: 'orders',
    document: ordersOpenApi(),
    method: 'POST',
    path: '/transaction/v1/user/order/create',
    body: { tenantId: 'harbor-coffee', title: 'A mug', items: [{ goodsId: 'harbor-mug', qty: 1 }] },
    nested: 'items',
    codes: ['90039', 'Not enough in stock', '90002', 'No valid session'],
  },
];

/** `npm run test:all` sets it. */
const everyOperation = process.env['EVERY_COMBINATION'] === 'on';

interface Operation {
  tags: string[];
  requestBody?: object;
  parameters?: object[];
}

/**
 * The document with the first operation of each tag, method and kind of input: Scalar draws all others of the same parts,
 * and what measuring takes grows with the square of their number.
 */
function oneOperationOfEach(document: OpenApiDocument): OpenApiDocument {
  const seen = new Set<string>();
  const isNew = ([method, operation]: [string, unknown]): boolean => {
    const { tags, requestBody, parameters = [] } = operation as Operation;
    const kinds = [`of ${tags.join()}`, `${method}, ${requestBody !== undefined}, ${parameters.length > 0}`];
    const found = kinds.some((kind) => !seen.has(kind));
    if (found) for (const kind of kinds) seen.add(kind);
    return found;
  };
  const paths = Object.entries(document.paths ?? {}).map(([path, operations]) => [
    path,
    Object.fromEntries(Object.entries(operations as object).filter(isNew)),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Rules that Scalar's own elements break, which no setting or style reaches, and how. */
const brokenByScalar = {
  'aria-allowed-attr': 'the buttons of the contents are selected',
  'aria-allowed-role': 'the contents are an aside with the role of a navigation',
  'button-name': 'the buttons that copy an example have no name',
  'landmark-unique': 'every card of examples is a region of the same name',
  'nested-interactive': 'the button that opens a model has another inside',
};

describe('the page of an interface', function () {
  this.timeout(300_000);
  let browser: Browser;
  before(async function () {
    browser = await launchBrowser(this);
  });
  after(() => browser?.close());

  const whole = isWhole(import.meta.url);
  for (const { service, document, method, path, body, nested, codes } of whole ? services : []) {
    it(`lists every operation of ${service}, and runs its examples with a sandbox token, from its own address only`, async () => {
      const docs = await openDocs(browser, document, () => Promise.resolve('a-sandbox-token'));
      try {
        const { page } = docs;
        const described = Object.entries(document.paths ?? {}).flatMap(([at, operations]) =>
          Object.keys(operations as object).map((verb) => `${verb.toUpperCase()}${at}`),
        );
        const shown = () =>
          page
            .locator('section[id*="/tag/"]')
            .evaluateAll((sections) =>
              sections.flatMap(({ id }) => /\/((?:GET|POST|PUT|PATCH|DELETE)\/.*)$/.exec(id)?.[1] ?? []),
            );
        await eventually('every operation is there', async () => (await shown()).length >= described.length);
        expect(await shown()).to.include.members(described);

        const contents = page.getByRole('navigation').first();
        const summaries = Object.values(document.paths ?? {}).flatMap((operations) =>
          Object.values(operations as Record<string, { summary: string }>).map(({ summary }) => summary),
        );
        const listed = (await contents.innerText()).replaceAll(/\s+/g, ' ');
        expect(summaries.filter((summary) => !listed.includes(summary))).to.deep.equal([]);

        const section = await operationOf(page, method, path);
        const text = await section.innerText();
        expect(text).to.include(nested).and.not.include('$ref');
        for (const code of codes) expect(text).to.include(code);
        await takeScreenshot(page, `docs-${service}`, 'window');

        await section.getByRole('button', { name: 'Test Request' }).click();
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^Send post request/ })
          .click();
        await eventually('the example was sent', () => Promise.resolve(docs.sent.length > 0));
        expect(docs.sent).to.deep.equal([
          { request: `${method} ${path}`, authorization: 'Bearer a-sandbox-token', body },
        ]);
        docs.expectUntroubled();
      } finally {
        await docs.close();
      }
    });
  }

  for (const { service, document } of whole ? services : [])
    it(`is accessible apart from what is inside Scalar, and fits 320 px: ${service}`, async () => {
      const docs = await openDocs(browser, everyOperation ? document : oneOperationOfEach(document), null);
      try {
        const { page } = docs;
        const views: [number, Rules][] = [
          [1280, 'all'],
          [320, everyOperation ? 'all' : 'of targets'],
        ];
        for (const [width, rules] of views) {
          await page.setViewportSize({ width, height: 860 });
          const found = await violationsOf(page, { targetSizes: true, rules });
          const broken = found.filter((one) => !Object.keys(brokenByScalar).includes(one.split(':')[0] ?? ''));
          expect(broken, `at ${width} px`).to.deep.equal([]);
          expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(width);
        }
        await takeScreenshot(page, `docs-${service}-320`, 'window');
      } finally {
        await docs.close();
      }
    });

  it('asks for no token where there is no sandbox', async () => {
    const docs = await openDocs(browser, ordersOpenApi(), null);
    try {
      expect((await fetch(`${docs.base}/docs/start.js`)).status).to.equal(200);
      expect(await (await fetch(`${docs.base}/docs/start.js`)).text()).not.to.include('sandbox-token');
      expect(docs.sent).to.deep.equal([]);
      docs.expectUntroubled();
    } finally {
      await docs.close();
    }
  });

  it('is sent compressed, and only once', async () => {
    const docs = await serveDocs(ordersOpenApi(), null);
    try {
      const html = await (await fetch(`${docs.base}/docs`)).text();
      const script = /src="(\/docs\/scalar[^"]+)"/.exec(html)?.[1] ?? '';
      const response = await fetch(`${docs.base}${script}`, { headers: { 'accept-encoding': 'br' } });
      expect(Object.fromEntries(response.headers)).to.include({
        'content-encoding': 'br',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(Number(response.headers.get('content-length'))).to.be.within(1, 1_000_000);
      await response.arrayBuffer();
    } finally {
      docs.stop();
    }
  });
});
