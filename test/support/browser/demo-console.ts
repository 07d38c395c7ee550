import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseAddresses, type EverySetting, parseSettings, secretNames } from '#domain/settings/settings.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { seedDemo } from '#scripts/demo.ts';
import { type OpenedDatabase, openDatabase } from '../servers/database.ts';
import { temporaryFolder } from '../servers/servers.ts';
import { addressesOf, type ServedPlatform, startStack } from '../services/stack.ts';
import { eventually } from '../time/eventually.ts';
import { eva } from './people.ts';

/** The services and the console with the demonstration data. */
export interface DemoConsole extends ServedPlatform {
  settings: EverySetting;
  database: OpenedDatabase;
}

/** The run's folder, in which its processes find each other's work. */
const runFolder = process.env['TEST_RUN_FOLDER'] ?? temporaryFolder();

async function start(file: string): Promise<void> {
  const stack = await startStack({ web: true });
  await seedDemo(stack.settings);
  const sandbox = jsonClient(stack.addresses.sandbox);
  await sandbox.post(`/admin/tenants/${eva.tenantId}/tenant-integrations`, { reuse: true });
  writeFileSync(`${file}.new`, JSON.stringify(stack.environment));
  renameSync(`${file}.new`, file);
}

/** Whether this process is the first that asks. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

async function open(): Promise<DemoConsole> {
  const folder = join(runFolder, 'demonstration');
  const file = join(folder, 'environment.json');
  if (isFirst(folder)) await start(file);
  await eventually('another process has seeded the demonstration', () => existsSync(file), { timeoutMs: 240_000 });
  const settings = parseSettings(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>, [
    ...databaseAddresses,
    ...secretNames,
  ]);
  return { settings, addresses: addressesOf(settings), database: openDatabase(settings) };
}

let opening: Promise<DemoConsole> | undefined;

/**
 * For tests that change nothing: all files of a run share it, also those that run in another process. It ends with the
 * process that asked first.
 */
export const demoConsole = (): Promise<DemoConsole> => (opening ??= open());
