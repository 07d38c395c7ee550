import { expectGone, ownPorts, processesOf, startUntilReady } from '../test/support/services/started.ts';
import { temporaryFolder } from '../test/support/servers/servers.ts';
import { elapsed } from './elapsed.ts';

/**
 * `npm start` in seconds: the first time in an empty DATA_DIR, again after kill -9 of every process, and its
 * shutdown on SIGINT. Limits of the specification: ready again within 20 s, shut down within 10 s.
 */
export async function start() {
  const folder = temporaryFolder();
  const environment = { ...(await ownPorts()), DATA_DIR: folder };
  const [, firstSeconds] = await elapsed(() => startUntilReady(environment));
  const pids = processesOf(folder).map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await expectGone(pids);
  const [again, afterKillSeconds] = await elapsed(() => startUntilReady(environment));
  process.kill(again.pid, 'SIGINT');
  const [, endSeconds] = await elapsed(() => again.exited);
  return { firstSeconds, afterKillSeconds, endSeconds, limits: { afterKillSeconds: 20, endSeconds: 10 } };
}
