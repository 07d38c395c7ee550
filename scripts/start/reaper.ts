import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

type Message = { watch: number; signal: NodeJS.Signals } | { forget: number } | { remove: string };

const program = fileURLToPath(new URL('../reaper.mjs', import.meta.url));
let input: Socket | undefined;

/** One reaper per process, started with the first message; it does not keep this process alive. */
function tell(message: Message): void {
  if (!input) {
    const reaper = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    // A reaper that was itself killed no longer protects anything, and must not take us down with it.
    reaper.stdin.on('error', () => {});
    reaper.on('error', () => {});
    reaper.unref();
    input = reaper.stdin as Socket;
    input.unref();
  }
  input.write(`${JSON.stringify(message)}\n`);
}

/** Ends the process group of `pid`, first with `signal`, when this process is gone, for whatever reason. */
export const reap = (pid: number, signal: NodeJS.Signals): void => tell({ watch: pid, signal });

/** The process ended by itself: its number may soon be reused. */
export const forget = (pid: number): void => tell({ forget: pid });

/** Deletes the folder when this process is gone. */
export const removeAtExit = (folder: string): void => tell({ remove: folder });
