import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { jsonClient } from '#scripts/demo/client.ts';
import { cacheFolder } from '#scripts/start/temporal-finder.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { installTenant } from '../support/services/tenant.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

const run = promisify(execFile);

const VERSION = '4.32.5';
/** Requests to each operation in each phase; `npm run test:all` sends more. */
const EXAMPLES = Number(process.env['SCHEMATHESIS_EXAMPLES'] ?? 10);
const MEGABYTES = 64 * 1_048_576;

/** The program in an environment of its own, which is installed once per user; null if there is no Python. */
async function findSchemathesis(): Promise<string | null> {
  const folder = join(cacheFolder(), `schemathesis-${VERSION}`);
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  const hasPython = await run('python3', ['-c', 'import venv']).then(
    () => true,
    () => false,
  );
  if (!hasPython) return null;
  // What an interrupted installation left.
  rmSync(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  return program;
}

/** Operations for other callers than a person of a tenant's staff: the platform, the gateway, administrators. */
const FOR_OTHERS = {
  bff: ['/install', '/rotate-secret', '/uninstall', '/update', '/webhook'],
  orders: [
    '/transaction/v1/admin/coupons/{id}',
    '/transaction/v1/admin/points/grant',
    '/transaction/v1/admin/tenants/{id}',
    '/transaction/v1/admin/tenants/{id}/webhook',
    '/transaction/v1/admin/tenants/{id}/webhook:test',
    '/transaction/v1/payment-gateway/callback',
    '/transaction/v1/user/order/create',
  ],
};

/** Paths of the operations that answered nothing but 401 or 403, by the program's report. */
function refusedOf(report: string): string[] {
  const [, section = ''] = /^Authentication failed: (.*?)💡/msu.exec(report) ?? [];
  return [...section.matchAll(/^ +- [A-Z]+ (\S+)$/gm)].map(([, path = '']) => path).toSorted();
}

describe('requests that schemathesis makes from the OpenAPI documents', function () {
  this.timeout(3_600_000);
  const stack = useStack();
  let program: string;
  let token: string;

  before(async function () {
    const found = await findSchemathesis();
    if (found === null) this.skip();
    program = found;
    const tenant = await installTenant(stack, { tenantId: 'attacked', serviceNumberId: 'sn-1', contacts: 5 });
    const sandbox = jsonClient(stack.addresses.sandbox);
    const roles = ['tenant_admin', 'operator', 'order_admin'];
    const person = { sub: 'eve', name: 'Eve', tenantId: tenant.tenantId, roles, expiresInSeconds: 86_400 };
    token = await sandboxToken(sandbox, person);
  });

  for (const service of ['bff', 'orders'] as const)
    it(`get no 5xx: ${service}`, async () => {
      const { stdout, failed } = await run(
        program,
        [
          'run',
          `${stack.addresses[service]}/openapi.json`,
          '--header',
          `Authorization: Bearer ${token}`,
          '--checks',
          'not_a_server_error',
          '--max-examples',
          String(EXAMPLES),
          // A stream of events never ends, and what ends sessions would have the rest answered by 401.
          '--exclude-path-regex',
          '/stream$|/auth/|/sessions',
          // Its coverage phase fails in itself on Python 3.11 ("AST constructor recursion depth mismatch").
          '--phases',
          'examples,fuzzing,stateful',
          '--workers',
          '2',
          '--request-timeout',
          '30',
          '--continue-on-failure',
          '--no-color',
        ],
        { cwd: temporaryFolder(), maxBuffer: MEGABYTES },
      ).then(
        (ended) => ({ ...ended, failed: false }),
        (error: Error & { stdout?: string }) => ({ stdout: error.stdout ?? error.message, failed: true }),
      );
      expect(failed, stdout).to.equal(false);
      expect(FOR_OTHERS[service], 'operations that answered only 401 or 403').to.include.members(refusedOf(stdout));
      expect(stdout).to.match(/\b[1-9]\d{2,} generated\b/);
    });
});
