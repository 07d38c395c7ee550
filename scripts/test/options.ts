/** What `npm test` was asked to do. */
export interface Options {
  /** Only files whose path contains one of these. */
  fragments: string[];
  /** Also what is otherwise left to changes of what it proves. */
  all: boolean;
  /** Only files that the changes since this commit can affect. */
  since?: string;
  /** This part of so many. */
  shard: { index: number; of: number };
  mochaOptions: string[];
}

const WHOLE = { index: 1, of: 1 };

function shardOf(text: string): Options['shard'] {
  const [, index = '', of = ''] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index < 1 || shard.index > shard.of) throw new Error(`--shard ${text}: give it as 1/3, 2/3 or 3/3`);
  return shard;
}

/**
 * @param words as given after `npm test --`. Options that are not ours are mocha's, each in one word (`--grep=pays`).
 * @throws Error that says how an option is written.
 */
export function parseOptions(words: readonly string[]): Options {
  const options: Options = { fragments: [], all: false, shard: WHOLE, mochaOptions: [] };
  const rest = words.flatMap((word) => {
    const [, name, value] = /^(--shard|--since)=(.*)$/.exec(word) ?? [];
    return name !== undefined && value !== undefined ? [name, value] : [word];
  });
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--all') options.all = true;
    else if (word === '--shard') options.shard = shardOf(rest.shift() ?? '');
    else if (word === '--since') {
      const since = rest.shift();
      if (!since) throw new Error('--since needs a commit or branch, such as --since main');
      options.since = since;
    } else if (word.startsWith('-')) options.mochaOptions.push(word);
    else options.fragments.push(word);
  }
  return options;
}
