// Ends the processes of a parent that died without doing so itself, for example because it was killed. The parent
// keeps our standard input open and writes one JSON line per change:
//   {"watch": pid, "signal": "SIGTERM"}   end this process when the parent is gone
//   {"forget": pid}                       it ended by itself
//   {"remove": "/folder"}                 delete this folder when the parent is gone
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

const GRACE_MS = 5000;
const watched = new Map();
const folders = new Set();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.watch) watched.set(message.watch, message.signal);
  if (message.forget) watched.delete(message.forget);
  if (message.remove) folders.add(message.remove);
}

for (const [pid, signal] of watched) kill(pid, signal);
const deadline = Date.now() + GRACE_MS;
while ([...watched.keys()].some(isAlive) && Date.now() < deadline) await setTimeout(50);
// A watched process leads its own group, so that its children go with it.
for (const pid of watched.keys()) kill(-pid, 'SIGKILL');
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
