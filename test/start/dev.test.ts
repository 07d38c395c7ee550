import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '#scripts/start/services.ts';
import { isAlive } from '#scripts/start/survivors.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import { openPage } from '../support/browser/open-page.ts';
import { ada } from '../support/browser/people.ts';
import { temporaryFolder } from '../support/servers/servers.ts';
import { installTenant } from '../support/services/tenant.ts';
import type { ServedPlatform } from '../support/services/stack.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { parseSettings } from '#domain/settings/settings.ts';
import { copyOfProject } from '../support/services/other-node.ts';
import { expectGone, ownPorts, processesOf, type Started, startUntilReady } from '../support/services/started.ts';
import { eventually } from '../support/time/eventually.ts';

/** In a copy, of which files are changed. */
describe('npm run dev', function () {
  this.timeout(240_000);
  const data = temporaryFolder();
  let folder: string;
  let environment: Record<string, string>;
  let started: Started;

  before(async () => {
    folder = copyOfProject();
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
    environment = { ...(await ownPorts()), DATA_DIR: data };
    const checkout = { node: process.execPath, folder, script: 'scripts/dev.mjs' };
    started = await startUntilReady(environment, { checkout, timeoutMs: 180_000 });
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(started?.output() ?? '');
  });
  after(async () => {
    const pids = processesOf(data).map(({ pid }) => pid);
    process.kill(started.pid, 'SIGINT');
    await started.exited;
    await expectGone(pids);
  });

  const address = (name: string, path: string) => `http://127.0.0.1:${environment[`${name}_PORT`]}${path}`;
  const text = async (url: string) => (await fetch(url)).text();

  function edit(file: string, from: string, to: string): void {
    const before = readFileSync(join(folder, file), 'utf8');
    expect(before, file).to.include(from);
    writeFileSync(join(folder, file), before.replace(from, to));
  }
  /** Since when it waited, in seconds: for whoever reads the output. */
  async function live(what: string, probe: () => Promise<boolean>): Promise<void> {
    const began = performance.now();
    await eventually(what, () => probe().catch(() => false), { timeoutMs: 60_000, intervalMs: 20 });
    process.stdout.write(`      ${what} after ${((performance.now() - began) / 1000).toFixed(2)} s\n`);
  }
  const platform = (): ServedPlatform => ({
    addresses: {
      bff: address('BFF', ''),
      backend: address('BACKEND', ''),
      orders: address('ORDERS', ''),
      sandbox: address('SANDBOX', ''),
    },
    settings: parseSettings(environment, []),
  });
  /** The process that answers for a service, by the name of its log's last start. */
  const pidsOf = (name: string) =>
    processesOf(data)
      .filter((one) => one.name === name && isAlive(one.pid))
      .map(({ pid }) => pid);

  const titled = async (title: string) =>
    (await text(address('ORDERS', '/openapi.json'))).includes(`"title":"${title}"`);

  it('replaces the service whose source has changed, and no other', async () => {
    const others = ['bff', 'backend', 'sandbox', 'postgresql', 'temporal'];
    // A service says that it is up before the process starts that its next build is loaded into.
    await eventually('each service has a process on standby', () =>
      ['bff', 'backend', 'orders'].every((name) => pidsOf(name).length === 2),
    );
    const before = new Map(others.map((name) => [name, pidsOf(name)]));
    const ofOrders = pidsOf('orders');
    for (const [from, to] of [
      ['Order service', 'Once'],
      ['Once', 'Twice'],
      ['Twice', 'Thrice'],
    ] as const) {
      edit('api/orders/openapi.ts', `'${from}'`, `'${to}'`);
      await live('the change of a service is live', () => titled(to));
    }
    await eventually('the service is another process', () => !pidsOf('orders').some((pid) => ofOrders.includes(pid)));
    for (const name of others) expect(pidsOf(name), name).to.deep.equal(before.get(name));
  });

  it('keeps the service as it is while its source cannot be built, and takes the next change', async () => {
    edit('api/orders/openapi.ts', `'Thrice'`, `'Thrice`);
    await eventually('esbuild says why', () => started.output().includes('Unterminated string literal'));
    expect(await titled('Thrice')).to.equal(true);
    edit('api/orders/openapi.ts', `'Thrice`, `'Mended'`);
    await live('the mended service is live', () => titled('Mended'));
  });

  it('signs in at the console’s address, shows a change of the console without loading the page again, and of its texts', async function () {
    const browser = await launchBrowser(this);
    await installTenant(platform(), { tenantId: ada.tenantId, serviceNumberId: 'sn-dev', contacts: 1 });
    try {
      const { page } = await openPage(browser);
      await signIn(page, { addresses: platform().addresses }, ada);
      await page.goto(address('BFF', '/app/campaigns'));
      await page.getByRole('heading', { name: 'Campaigns' }).first().waitFor({ timeout: 120_000 });
      await page.evaluate('window.stayed = true');
      edit('web/pages/campaigns/list/CampaignsPage.vue', '<ListPage', '<p>Changed by hand</p>\n    <ListPage');
      await live('the change of a page is shown', async () => (await page.getByText('Changed by hand').count()) > 0);
      expect(await page.evaluate('window.stayed')).to.equal(true);
    } finally {
      await browser.close();
    }
  });
});
