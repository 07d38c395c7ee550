import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '#scripts/start/ports.ts';
import { startPostgres } from '#scripts/start/postgres.ts';
import { removeAtExit } from '#scripts/start/reaper.ts';
import { findTemporal } from '#scripts/start/temporal-finder.ts';
import { startTemporalServer } from '#scripts/start/temporal-server.ts';
import { eventually } from '../time/eventually.ts';

/** A folder that is deleted when this process ends. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'outreach-platform-'));
  removeAtExit(folder);
  return folder;
}

/** Linux keeps files below it in memory. */
const MEMORY_FOLDER = '/dev/shm';
/** Several times what the databases of all tests take. */
const ROOM_BYTES = 12 * 2 ** 30;

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem()) >= ROOM_BYTES;
  } catch {
    // There is no such folder.
    return false;
  }
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** A PostgreSQL that ends with this process; the address is the owner's, for database `postgres`. */
export async function launchPostgres(): Promise<string> {
  // A database is a thousand files, and every suite gets one: on a disk they are most of what it costs.
  const folder = hasRoomInMemory() ? temporaryFolder(MEMORY_FOLDER) : temporaryFolder();
  const port = await freePort();
  await startPostgres({
    folder: join(folder, 'postgresql'),
    port,
    user: 'postgres',
    password: 'postgres',
    logFile: join(folder, 'postgresql.log'),
    volatile: true,
    background: true,
  });
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

/** The files of a server, as of the end of the backup. */
export interface Backup {
  /** Restores it as a server of its own. */
  restore(): Promise<MortalPostgres>;
}

/** A PostgreSQL to be killed: unlike a volatile one, it keeps what it has committed. */
export interface MortalPostgres {
  /** The owner's, for database `postgres`. */
  url: string;
  /** Kills the server's main process; the others notice and end without writing anything more. */
  kill(): Promise<void>;
  /** Starts it again with its data and port. */
  revive(): Promise<void>;
  /** A backup while it is used, as `pg_basebackup` makes one. */
  backUp(): Promise<Backup>;
  stop(): Promise<void>;
}

/** Copies the files of a running server, with the log that makes them consistent. */
async function copyFiles(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('test', true)`);
    const copy = (source: string, target: string) => execFileSync('cp', ['-a', source, target]);
    copy(from, to);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    rmSync(join(to, 'data', 'pg_wal'), { recursive: true });
    copy(join(from, 'data', 'pg_wal'), join(to, 'data', 'pg_wal'));
    rmSync(join(to, 'data', 'postmaster.pid'), { force: true });
    writeFileSync(join(to, 'data', 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

export async function launchMortalPostgres(restored?: string): Promise<MortalPostgres> {
  const folder = restored ?? temporaryFolder();
  const port = await freePort();
  const user = { user: 'postgres', password: 'postgres' };
  const logFile = join(folder, 'postgresql.log');
  const start = () => startPostgres({ folder: join(folder, 'postgresql'), port, ...user, logFile, background: true });
  let server = await start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    kill: async () => {
      server.kill('SIGKILL');
      await server.exited;
    },
    revive: async () => {
      // A process that is looking for a free port may hold this one briefly.
      server = await eventually('PostgreSQL starts again', start, { timeoutMs: 90_000 });
    },
    backUp: async () => {
      const copied = temporaryFolder();
      const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
      await copyFiles(url, join(folder, 'postgresql'), join(copied, 'postgresql'));
      return { restore: () => launchMortalPostgres(copied) };
    },
    stop: () => server.stop(),
  };
}

/** Every suite makes a namespace, and waits until the server knows it: otherwise a second each time. */
const namespacesSoon = 'system.namespaceCacheRefreshInterval="200ms"';

/** A Temporal development server in memory that ends with this process, with these settings as well; returns its host:port. */
export async function launchTemporal(more: readonly string[] = []): Promise<string> {
  const folder = temporaryFolder();
  const port = await freePort();
  const executable = await findTemporal(say);
  const logFile = join(folder, 'temporal.log');
  await startTemporalServer({ executable, port, logFile, background: true, settings: [namespacesSoon, ...more] });
  return `127.0.0.1:${port}`;
}

let postgres: Promise<string> | undefined;
let temporal: Promise<string> | undefined;

/** The server of this test run (`TEST_DATABASE_URL`), or one for this file alone. */
export const sharedPostgres = (): Promise<string> =>
  (postgres ??= process.env.TEST_DATABASE_URL ? Promise.resolve(process.env.TEST_DATABASE_URL) : launchPostgres());

/** The server of this test run (`TEST_TEMPORAL_ADDRESS`), or one for this file alone. */
export const sharedTemporal = (): Promise<string> =>
  (temporal ??= process.env.TEST_TEMPORAL_ADDRESS
    ? Promise.resolve(process.env.TEST_TEMPORAL_ADDRESS)
    : launchTemporal());
