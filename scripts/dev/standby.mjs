// Plain Node: a process that has loaded the packages of a service, and becomes the service as soon as it is told which
// file to run. Packages take most of a start.
import { pathToFileURL } from 'node:url';

process.on('message', async ({ packages, program }) => {
  if (packages) await Promise.all(packages.map((name) => import(name)));
  if (!program) return;
  // A service reads its own options, and ends when it has nothing to do.
  process.argv.splice(1, process.argv.length, program);
  process.channel.unref();
  await import(pathToFileURL(program).href);
});
