import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parseSettings } from '#domain/settings/settings.ts';
import { isAlive } from '#scripts/start/survivors.ts';
import { serviceAddress } from '#scripts/start/services.ts';
import { ada } from '../support/browser/people.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import { temporaryFolder } from '../support/servers/servers.ts';
import { copyOfProject, installNode, nodePackage, pathWith } from '../support/services/other-node.ts';
import { openShop } from '../support/services/shop.ts';
import type { ServedPlatform } from '../support/services/stack.ts';
import { ownPorts, processesOf, startUntilReady } from '../support/services/started.ts';
import { installTenant } from '../support/services/tenant.ts';

/** The release that README recommends, in each run; `npm run test:all` tries the others, too. */
const RECOMMENDED = '24';
const versions = process.env['EVERY_NODE'] ? ['22', RECOMMENDED, '26'] : [RECOMMENDED];

function platformOf(environment: Record<string, string>) {
  const settings = parseSettings({ NODE_ENV: 'test', ...environment });
  const names = ['sandbox', 'backend', 'orders', 'bff'] as const;
  const addresses = Object.fromEntries(names.map((name) => [name, serviceAddress(name, settings)]));
  return { addresses: addresses as ServedPlatform['addresses'], settings };
}

describe('on other releases of Node', function () {
  this.timeout(600_000);
  before(function () {
    // npm has these packages for Linux alone.
    if (process.platform !== 'linux') this.skip();
  });

  for (const version of versions) {
    it(`Node ${version} installs, starts, sends a campaign, takes a payment and stops`, async () => {
      const nodeFolder = await installNode(version);
      const node = join(nodeFolder, 'node');
      const { stdout } = await promisify(execFile)(node, ['--version']);
      expect(stdout, nodePackage).to.match(new RegExp(`^v${version}\\.`));
      const folder = copyOfProject();
      const data = temporaryFolder();
      const environment = {
        ...(await ownPorts()),
        DATA_DIR: data,
        PATH: pathWith(nodeFolder),
        npm_config_prefer_offline: 'true',
      };
      const started = await startUntilReady(environment, { checkout: { node, folder }, timeoutMs: 480_000 });
      const processes = processesOf(data);
      for (const { name, pid } of processes.filter(({ name }) =>
        ['bff', 'backend', 'orders', 'sandbox'].includes(name),
      ))
        expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0], name).to.equal(node);

      const platform = platformOf(environment);
      const tenant = await installTenant(platform, { ...ada, contacts: 3 });
      const { tasks } = await sendCampaign(tenant, {});
      expect(tasks.map(({ summary }) => summary?.delivered)).to.deep.equal([3]);
      const shop = await openShop(platform, ada);
      expect(await shop.statuses(await shop.payBoxes('Two boxes'))).to.equal('30/30/30');

      process.kill(started.pid, 'SIGTERM');
      expect(await started.exited).to.equal(0);
      expect(processes.filter(({ pid }) => isAlive(pid))).to.deep.equal([]);
    });
  }
});
