import { expect } from 'chai';
import { Problem } from '../api/problem.ts';
import { type ListTally, readContactList } from './list.ts';

async function* numbered(count: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < count; from += 50_000)
    yield Buffer.from(Array.from({ length: Math.min(50_000, count - from) }, (_, at) => `${from + at}\n`).join(''));
}

/** How many ids were passed on of a file with so many, and the code that refused it. */
async function read(count: number, tally: ListTally): Promise<{ passedOn: number; refused?: string }> {
  let passedOn = 0;
  const reading = { separator: 'comma', header: 'absent', invalidLines: 'refuse' } as const;
  try {
    for await (const ids of readContactList(numbered(count), reading, tally)) passedOn += ids.length;
    return { passedOn };
  } catch (error) {
    return { passedOn, refused: (error as Problem).code };
  }
}

describe('a list of contacts', () => {
  it('has at most 1,000,000, and is read to its end even if it has more', async () => {
    const tally = { given: 0, skipped: 0 };
    expect(await read(1_000_000, tally)).to.deep.equal({ passedOn: 1_000_000 });
    const tallyOfMore = { given: 0, skipped: 0 };
    expect(await read(1_000_001, tallyOfMore)).to.deep.equal({ passedOn: 1_000_000, refused: 'too_large' });
    expect([tally.given, tallyOfMore.given]).to.deep.equal([1_000_000, 1_000_001]);
  });
});
