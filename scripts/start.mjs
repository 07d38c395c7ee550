// `npm start`: installs what is missing, then hands over to scripts/start/main.ts. Plain Node, no dependencies.
import { spawn } from 'node:child_process';
import { install, projectFolder } from './install.mjs';

await install();

// The channel tells the child when we are gone, however we went, so that it ends what it started.
const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/start/main.ts'], {
  cwd: projectFolder,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
child.once('exit', (code) => process.exit(code ?? 1));
child.once('error', (error) => {
  console.error(`The start could not run: ${error.message}`);
  process.exit(1);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));

// npm may be ended without telling us; nobody could then end what we started.
const parent = process.ppid;
if (process.env.npm_lifecycle_event === 'start') {
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1000);
}
