import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** One kind of state kept in the journal: how an entry changes it, and the entries that would rebuild it. */
export interface Slice<Entry> {
  apply(entry: Entry): void;
  dump(): Iterable<Entry>;
}

export interface Journal {
  /** Registers a slice; the returned function writes an entry to disk and then applies it. */
  register<Entry>(name: string, slice: Slice<Entry>): (entry: Entry) => void;
  /** Replays what an earlier process wrote, compacts it, and opens the journal for writing. */
  open(): void;
  close(): void;
}

const FLUSH_AT = 1 << 20;

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  const chunk = Buffer.allocUnsafe(1 << 20);
  let rest: Buffer = Buffer.alloc(0);
  try {
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      const data = Buffer.concat([rest, chunk.subarray(0, size)]);
      let from = 0;
      for (let end = data.indexOf(10, from); end >= 0; end = data.indexOf(10, from)) {
        yield data.toString('utf8', from, end);
        from = end + 1;
      }
      rest = data.subarray(from);
    }
  } finally {
    closeSync(file);
  }
  // A kill cut off what follows the last newline: its effect was never acknowledged, so it never happened.
}

/**
 * An append-only file of JSON lines, `[slice, entry]`. Writes are synchronous: once `record` returns, the entry
 * survives a kill of the process (not a power cut, which a development server need not survive).
 */
export function createJournal(directory: string): Journal {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'journal.jsonl');
  const slices = new Map<string, Slice<unknown>>();
  let file: number | undefined;

  function replay(): void {
    for (const line of linesOf(path)) {
      const [name, entry] = JSON.parse(line) as [string, unknown];
      slices.get(name)?.apply(entry);
    }
  }

  function compact(): void {
    const next = openSync(`${path}.next`, 'w');
    let pending = '';
    for (const [name, slice] of slices) {
      for (const entry of slice.dump()) {
        pending += `${JSON.stringify([name, entry])}\n`;
        if (pending.length < FLUSH_AT) continue;
        writeSync(next, pending);
        pending = '';
      }
    }
    writeSync(next, pending);
    fsyncSync(next);
    closeSync(next);
    renameSync(`${path}.next`, path);
  }

  return {
    register(name, slice) {
      slices.set(name, slice as Slice<unknown>);
      return (entry) => {
        if (file === undefined) throw new Error('the journal is not open');
        writeSync(file, `${JSON.stringify([name, entry])}\n`);
        slice.apply(entry);
      };
    },
    open() {
      if (existsSync(path)) replay();
      compact();
      file = openSync(path, 'a');
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
