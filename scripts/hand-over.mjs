// Plain Node: runs one of our TypeScript programs as the child that does the work, and exits as it exits.
import { spawn } from 'node:child_process';
import { projectFolder } from './install.mjs';

/** @param event the npm script that may have started us. */
export function handOver(program, args, event) {
  // The channel tells the child when we are gone, for whatever reason, so that it ends what it started.
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...args], {
    cwd: projectFolder,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.once('exit', (code) => process.exit(code ?? 1));
  child.once('error', (error) => {
    console.error(`failed to run ${program}: ${error.message}`);
    process.exit(1);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));

  // npm may be ended without notifying us; then nobody could end what we started.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === event) {
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1000);
  }
}
