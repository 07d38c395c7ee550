import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { rows } from '#db/database.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { frontendOperations } from '#domain/api/index.ts';
import { startService } from '#scripts/start/services.ts';
import { numberPerIntegration } from '../isolation/shared-platform.ts';
import {
  bringContacts,
  eventSender,
  install,
  type IsolatedTenant,
  make,
  type Made,
  play,
} from '../isolation/tenant-story.ts';
import { usePlatform } from '../support/fixtures/outreach.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { call } from '../support/http/call.ts';
import { eventually } from '../support/time/eventually.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

const canary = (name: string) => `${name}-canary-${randomBytes(12).toString('hex')}`;

/** Each secret that the services are given. */
const given = {
  PLATFORM_APP_SECRET: canary('app'),
  IDENTITY_CLIENT_SECRET: canary('identity'),
  PAYMENT_GATEWAY_KEY: canary('gateway'),
  PAYMENT_GATEWAY_WEBHOOK_SECRET: canary('callback'),
  INTERNAL_API_SECRET: canary('internal'),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  AI_API_KEY: canary('ai'),
  FILES_TOKEN: canary('files'),
};

const services = ['bff', 'backend', 'orders'] as const;

/** Where a name or an id of ours would be found as well, encoded as Temporal and HTTP encode it. */
const formsOf = (text: string): string[] => [
  text,
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1),
];

describe('secrets and personal data', function () {
  this.timeout(180_000);
  const platform = usePlatform();
  const stack = useStack(() => ({
    env: { ...given, PLATFORM_BASE_URL: platform.baseUrl, LOG_LEVEL: 'trace', INBOX_PARTITIONS: '1' },
  }));
  let tenant: IsolatedTenant;
  let made: Made;
  let secrets: Record<string, string>;
  const responses: string[] = [];

  before(async () => {
    numberPerIntegration(platform);
    tenant = await install(stack, 'canary', 8);
    secrets = { ...given, integration: tenant.secret, token: tenant.token };
    const send = eventSender(stack, tenant);
    await bringContacts(tenant, send);
    made = await make(tenant);
    await play(tenant, made, send);
    await provoke();
  });

  async function ask(method: string, path: string, more: Parameters<typeof call>[2] = {}): Promise<number> {
    const { status, body } = await call(method, `${stack.addresses.bff}${path}`, { token: tenant.token, ...more });
    responses.push(JSON.stringify(body));
    return status;
  }

  /** What goes wrong with them in the request, in the database and on the way there. */
  async function provoke(): Promise<void> {
    const { mark } = tenant;
    const tag = { name: `${mark} refused`, serviceNumberId: 'sn-1', kind: 'permanent' };
    const database = stack.database.connect('outreach', 'owner');
    await database.raw(`alter table tag add constraint refuses check (name not like '%refused')`);
    expect(await ask('POST', '/api/v1/tags', { body: tag }), 'a row that the database refuses').to.equal(500);
    await database.raw('alter table tag drop constraint refuses');
    await database.raw('alter table contact_profile rename column display_name to moved');
    expect(await ask('GET', `/api/v1/contacts?q=${mark}`), 'a statement that fails').to.equal(500);
    await database.raw('alter table contact_profile rename column moved to display_name');
    expect(await ask('POST', '/api/v1/tags', { body: { ...tag, kind: mark } })).to.equal(400);
    expect(await ask('GET', `/api/v1/nothing?q=${mark}`)).to.equal(404);
    for (const secret of Object.values(given)) expect(await ask('GET', '/api/v1/me', { token: secret })).to.equal(401);
    const headers = {
      authorization: `PLATFORM ${tenant.integrationId}:${tenant.secret}`,
      'x-platform-nonce': tenant.secret,
    };
    expect(await ask('POST', '/webhook', { token: undefined, headers, body: { name: mark } })).to.equal(401);
  }

  function expectNone(text: string, where: string, sought: Record<string, string>): void {
    for (const [name, value] of Object.entries(sought))
      for (const form of formsOf(value)) {
        const at = text.indexOf(form);
        expect(at === -1 ? '' : text.slice(Math.max(0, at - 200), at + form.length), `${name} in ${where}`).to.equal(
          '',
        );
      }
  }

  const personal = () => ({ 'what a tenant wrote': tenant.mark, 'a name': `Ada ${tenant.mark}` });

  it('are in no log', () => {
    const folder = join(stack.dataFolder, 'logs');
    const files = readdirSync(folder).filter((name) => name.endsWith('.log') && !name.startsWith('sandbox'));
    expect(files).to.include.members(['backend.log', 'bff.log', 'orders.log']);
    for (const name of files) {
      const text = readFileSync(join(folder, name), 'utf8');
      if (name !== 'build.log') expect(text, name).to.include('"level":"info"');
      expectNone(text, name, { ...secrets, ...personal() });
    }
  });

  it('are in no metrics', async () => {
    for (const service of services) {
      const text = await (await fetch(`${stack.metrics[service]}/metrics`)).text();
      expect(text).to.include('http_request_duration_seconds');
      expectNone(text, `the metrics of ${service}`, { ...secrets, ...personal() });
    }
  });

  it('are in no history, apart from the name of a campaign in its title', async () => {
    let seen = 0;
    for await (const { workflowId, runId, type } of stack.temporal.client.workflow.list()) {
      const history = await stack.temporal.client.workflow.getHandle(workflowId, runId).fetchHistory();
      const text = JSON.stringify(history, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
      );
      seen += 1;
      const names = {
        'a name': `Ada ${tenant.mark}`,
        'a contact’s name': `c-1 ${tenant.mark}`,
        'a text': `"text":"${tenant.mark}`,
      };
      expectNone(text, `${type} ${workflowId}`, { ...secrets, ...names });
    }
    expect(seen).to.be.above(5);
  });

  it('are in no row of a table: secrets as they are', async () => {
    let read = 0;
    for (const schema of ['bff', 'outreach', 'orders'] as const) {
      const database = stack.database.connect(schema, 'owner');
      const tables = await rows<{ name: string }>(
        database,
        `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = :schema and c.relkind in ('r', 'p') and not c.relispartition`,
        { schema },
      );
      for (const { name } of tables) {
        const dumped = await rows<{ text: string }>(database, `select t::text as text from "${name}" t`, {});
        read += dumped.length;
        expectNone(dumped.map(({ text }) => text).join('\n'), `${schema}.${name}`, secrets);
      }
    }
    expect(read).to.be.above(50);
  });

  it('are in no response: secrets, whatever is asked for', async () => {
    const { keys, ...ids } = made;
    const values: Record<string, string> = {
      ...ids,
      id: made.linked,
      key: keys[0] ?? '',
      snId: 'sn-1',
      contactId: 'c-1',
      eventId: 'only-canary',
    };
    for (const { method, path, responseType } of Object.values(frontendOperations as Record<string, AnyOperation>)) {
      if (method !== 'get' || responseType === 'text/event-stream') continue;
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name);
      const response = await fetch(`${stack.addresses.bff}/api/v1${filled}`, {
        headers: { authorization: `Bearer ${tenant.token}` },
      });
      responses.push(`${[...response.headers].join()} ${await response.text()}`);
    }
    expect(responses.length).to.be.above(30);
    expectNone(responses.join('\n'), 'a response', secrets);
  });

  /** What a service prints until it ends, or is ended once it has said something. */
  async function printedBy(service: (typeof services)[number], environment: NodeJS.ProcessEnv): Promise<string> {
    const logFile = join(temporaryFolder(), `${service}.log`);
    const child = await startService(service, { environment, logFile, background: true });
    const printed = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
    await eventually(`${service} says what is wrong`, () => printed() !== '');
    await child.stop();
    return printed();
  }

  it('are in nothing that a service prints when it cannot start or cannot go on', async () => {
    const password = canary('password');
    const environment = {
      ...process.env,
      ...given,
      NODE_ENV: 'test',
      DATA_DIR: temporaryFolder(),
      TEMPORAL_ADDRESS: '127.0.0.1:9',
    };
    const address = `postgres://outreach:${password}@127.0.0.1:9/none`;
    const every = { DATABASE_URL_BFF: address, DATABASE_URL_BACKEND: address, DATABASE_URL_ORDERS: address };
    const wrong: Record<string, NodeJS.ProcessEnv> = {
      'no database': every,
      'a malformed address': {
        ...every,
        DATABASE_URL_ORDERS: `postgres//${password}`,
        DATABASE_URL_BFF: `x${password}`,
      },
      'a malformed key': { ...every, ENCRYPTION_KEY: `${password}=` },
      'a short secret in production': { ...every, NODE_ENV: 'production', INTERNAL_API_SECRET: 'short-canary' },
    };
    for (const [why, env] of Object.entries(wrong)) {
      const printed = await Promise.all(services.map((service) => printedBy(service, { ...environment, ...env })));
      expectNone(printed.join('\n'), why, { ...given, password, short: 'short-canary' });
    }
  });
});
