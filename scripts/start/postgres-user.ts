import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join, parse } from 'node:path';

/** PostgreSQL refuses to run as root, so root starts it as another user. */
export interface ServerUser {
  uid: number;
  gid: number;
  /** The parent folders are closed to that user: it needs root's right to traverse them. */
  needsPassage: boolean;
}

interface Command {
  command: string;
  args: string[];
  ids: { uid?: number; gid?: number };
}

function idsOf(name: string): { uid: number; gid: number } | undefined {
  try {
    const read = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: read('-u'), gid: read('-g') };
  } catch {
    return undefined;
  }
}

function mayPass(folder: string, { uid, gid }: { uid: number; gid: number }): boolean {
  for (let path = folder; ; path = dirname(path)) {
    const { mode, uid: owner, gid: group } = statSync(path);
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === parse(path).root) return true;
  }
}

/** The location of a program on PATH, if any. */
export function findOnPath(name: string, path = process.env.PATH ?? ''): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', ''] : [''];
  const candidates = path
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return statSync(candidate).isFile();
    } catch {
      return false;
    }
  });
}

/**
 * The user as whom root starts the server: the owner of an existing cluster, else the user postgres, else nobody
 * (no user is created on the machine); undefined unless we are root.
 */
export function findServerUser(data: string, folders: string[]): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = existsSync(data) ? statSync(data) : undefined;
  const ids = existing && existing.uid !== 0 ? existing : (idsOf('postgres') ?? idsOf('nobody'));
  if (!ids) throw new Error('PostgreSQL cannot run as root and there is no other user here: set DATABASE_URL');
  const needsPassage = !folders.every((folder) => mayPass(folder, ids));
  if (needsPassage && !findOnPath('setpriv')) {
    throw new Error('PostgreSQL cannot run as root, and its user may not enter this folder: set DATABASE_URL');
  }
  return { uid: ids.uid, gid: ids.gid, needsPassage };
}

/** The command as that user; with root's right to traverse folders (and no other) if it needs that. */
export function asUser(user: ServerUser | undefined, command: string, args: string[]): Command {
  if (!user) return { command, args, ids: {} };
  const { uid, gid, needsPassage } = user;
  if (!needsPassage) return { command, args, ids: { uid, gid } };
  // Without this bit access(2), by which initdb looks for postgres, ignores the rights of a user who is not root.
  const bits = '--securebits=+no_setuid_fixup';
  const rights = [bits, '--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'];
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return { command: 'setpriv', args: [...identity, ...rights, '--', command, ...args], ids: {} };
}
