import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { encodeCursor } from '#domain/cursor.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import { type DemoConsole, demoConsole } from '../support/browser/demo-console.ts';
import { ada } from '../support/browser/people.ts';
import { eventually } from '../support/time/eventually.ts';
import { openPage, reportFailure } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';

describe('the console when the services reject a request', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;
  let stack: DemoConsole;
  const app = (path: string) => `${stack.addresses.bff}/app${path}`;

  before(async function () {
    browser = await launchBrowser(this);
    this.timeout(240_000);
    stack = await demoConsole();
    ({ page } = await openPage(browser, { locale: 'zh-TW' }));
    await signIn(page, stack, ada, '/app/campaigns');
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => browser?.close());

  it('names the invalid field and the reason in the language of the reader, and leads to the first page', async () => {
    await page.goto(app(`/campaigns?sn=${ada.serviceNumberId}&cursor=none-of-ours`));
    await page.getByRole('alert').getByText('頁面：不是此列表的頁面，請從第一頁開始').waitFor();
    await page.getByRole('link', { name: '第一頁' }).click();
    await page.getByRole('table').getByRole('link').first().waitFor();
  });

  it('saves again by itself after a temporary failure', async () => {
    await page.goto(app(`/campaigns?sn=${ada.serviceNumberId}&status=draft`));
    await page.getByRole('link', { name: 'Winter menu' }).click();
    const name = page.getByRole('textbox', { name: '名稱' }).first();
    await name.waitFor();
    const asked: string[] = [];
    let isErrorSeen = false;
    let isSaved = false;
    // None of it reaches the services: other tests use the same draft.
    await page.route('**/api/v1/campaigns/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback();
      asked.push(String(route.request().postDataJSON().name));
      if (isErrorSeen) {
        isSaved = true;
        const now = await route.fetch({ method: 'GET', postData: '' });
        return route.fulfill({ response: now, json: { ...(await now.json()), name: 'Winter menu 2' } });
      }
      const problem = {
        status: 503,
        code: 'unavailable',
        title: '',
        detail: 'Busy',
        requestId: 'r-1',
        type: 'about:blank',
      };
      return route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) });
    });
    await name.fill('Winter menu 2');
    await page.getByRole('alert').getByText('暫時無法使用').waitFor();
    isErrorSeen = true;
    await eventually('it is saved', () => isSaved);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(asked.length).to.be.greaterThan(1);
    expect(new Set(asked)).to.deep.equal(new Set(['Winter menu 2']));
    expect(await name.inputValue()).to.equal('Winter menu 2');
    await page.unroute('**/api/v1/campaigns/*');
  });

  it('finding 9: says that a rule needs a shorter period to be tried on the past', async () => {
    await page.route('**/*:backtest', (route) => {
      const problem = {
        status: 413,
        code: 'too_large',
        title: '',
        detail: 'Late',
        requestId: 'r-2',
        type: 'about:blank',
      };
      return route.fulfill({ status: 413, contentType: 'application/problem+json', body: JSON.stringify(problem) });
    });
    await page.goto(app('/rules'));
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('button', { name: '試算' }).click();
    await page.getByRole('alert').getByText('請選擇較短的期間').waitFor();
    expect(await page.getByText('請縮小').count()).to.equal(0);
    await page.unroute('**/*:backtest');
  });

  it('requests one copy of a campaign however often the button is clicked', async () => {
    await page.goto(app(`/campaigns?sn=${ada.serviceNumberId}`));
    let result = () => {};
    const clicked = new Promise<void>((resolve) => (result = resolve));
    const keys: (string | undefined)[] = [];
    await page.route('**/*:duplicate', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      await clicked;
      await route.abort();
    });
    await page.getByRole('button', { name: /Winter menu/ }).click();
    await page.getByRole('menuitem', { name: '複製活動' }).dblclick();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    result();
    await page.getByRole('alert').getByText('無法連線到伺服器').waitFor();
    expect(new Set(keys).size, 'asked for again with its key').to.equal(1);
    expect(keys[0]).to.be.a('string');
    await page.unroute('**/*:duplicate');
  });

  it('does not call a list empty when the cursor is past its last row', async () => {
    const beyond = encodeCursor(['0', '0']);
    await page.goto(app(`/campaigns?sn=${ada.serviceNumberId}&cursor=${beyond}`));
    await page.getByText('沒有符合篩選條件的項目').waitFor();
    await page.getByRole('link', { name: '清除篩選條件' }).click();
    await page.getByRole('table').getByRole('link').first().waitFor();
  });
});
