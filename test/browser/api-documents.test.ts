import { createServer } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser/launch.ts';
import { openPage } from '../support/browser/open-page.ts';
import { listen } from '../support/http/listen.ts';
import { bffOpenApi } from '../../api/bff/openapi.ts';
import { ordersOpenApi } from '../../api/orders/openapi.ts';
import { documentRoutes } from '../../api/http/docs.ts';

describe('the page of an interface', function () {
  this.timeout(120_000);
  let browser: Browser;
  before(async function () {
    browser = await launchBrowser(this);
  });
  after(() => browser?.close());

  for (const [service, document] of [
    ['bff', bffOpenApi()],
    ['orders', ordersOpenApi()],
  ] as const) {
    it(`shows every operation of ${service}, from its own address only and without inline scripts`, async () => {
      const server = createServer(new Koa().use(documentRoutes(document).routes()).callback());
      const base = await listen(server);
      const { page, complaints } = await openPage(browser);
      try {
        const requested: string[] = [];
        const logged: string[] = [];
        page.on('request', (request) => requested.push(request.url()));
        page.on('console', (message) => {
          if (message.type() === 'error') logged.push(message.text());
        });
        const response = await page.goto(`${base}/docs`);
        expect(response?.headers()['content-security-policy']).to.include("script-src 'self';");
        await page.locator('.opblock').first().waitFor();

        const methods = await page.locator('.opblock-summary-method').allTextContents();
        const paths = await page.locator('.opblock-summary-path').allTextContents();
        // Paths may break between lines at invisible spaces.
        const shown = methods.map((method, index) => `${method} ${paths[index]?.replaceAll('\u200b', '')}`);
        const described = Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, operations]) =>
          Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path}`),
        );
        expect(shown.toSorted()).to.deep.equal(described.toSorted());
        await page.locator('.opblock-summary-control').first().click();
        await page.getByText('Responses').first().waitFor();
        expect(await page.getByText('Try it out').count()).to.equal(0);

        const elsewhere = requested.filter((url) => !url.startsWith(base) && !url.startsWith('data:'));
        expect([elsewhere, complaints, logged]).to.deep.equal([[], [], []]);
      } finally {
        await page.context().close();
        server.closeAllConnections();
        server.close();
      }
    });
  }
});
