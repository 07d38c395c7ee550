import { expect } from 'chai';
import fc from 'fast-check';
import { Problem } from '../api/problem.ts';
import { csvHeader, csvLines } from '../csv.ts';
import { type ListReading, type ListTally, readContactList } from './list.ts';

async function* numbered(count: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < count; from += 50_000)
    yield Buffer.from(Array.from({ length: Math.min(50_000, count - from) }, (_, at) => `${from + at}\n`).join(''));
}

/** How many ids were passed on of a file with so many, and the code that refused it. */
async function count(chunks: AsyncIterable<Buffer>, tally: ListTally): Promise<{ passedOn: number; refused?: string }> {
  let passedOn = 0;
  const reading = { separator: 'comma', header: 'absent', invalidLines: 'refuse' } as const;
  try {
    for await (const ids of readContactList(chunks, reading, tally)) passedOn += ids.length;
    return { passedOn };
  } catch (error) {
    return { passedOn, refused: (error as Problem).code };
  }
}

async function* cut(bytes: Buffer, at: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += at) yield Buffer.from(bytes.subarray(from, from + at));
}

interface Read {
  ids: string[];
  skipped: number;
  errors?: string[];
}

/** What is read of a file that arrives in pieces of so many bytes. */
async function read(file: string | Buffer, given: Partial<ListReading> = {}, pieces = 7): Promise<Read> {
  const tally = { given: 0, skipped: 0 };
  const ids: string[] = [];
  try {
    const reading: ListReading = { header: 'detect', invalidLines: 'refuse', ...given };
    for await (const batch of readContactList(cut(Buffer.from(file), pieces), reading, tally)) ids.push(...batch);
    return { ids, skipped: tally.skipped };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errors = [] } = error;
    return { ids: [], skipped: tally.skipped, errors: errors.map(({ path, code }) => `${path} ${code}`) };
  }
}

const utf16 = (text: string, big = false) => {
  const little = Buffer.from(text, 'utf16le');
  return big ? little.swap16() : little;
};

describe('a list of contacts', () => {
  it('has at most 1,000,000 valid lines, and is read to its end even if it has more', async () => {
    async function* withInvalidLine() {
      yield Buffer.from('a,b\n');
      yield* numbered(1_000_000);
    }
    const tally = { given: 0, skipped: 0 };
    expect(await count(withInvalidLine(), tally)).to.deep.equal({ passedOn: 0, refused: 'invalid_content' });
    const tallyOfMore = { given: 0, skipped: 0 };
    expect(await count(numbered(1_000_001), tallyOfMore)).to.deep.equal({ passedOn: 1_000_000, refused: 'too_large' });
    expect([tally.given, tallyOfMore.given]).to.deep.equal([1_000_000, 1_000_001]);
  });

  it('may begin with any number of blank lines', async () => {
    const blank = Buffer.alloc(300_000, '\n');
    expect(await read(Buffer.concat([blank, Buffer.from('a1\nb2\n')]), {}, 1_000_000)).to.deep.equal({
      ids: ['a1', 'b2'],
      skipped: 0,
    });
  });

  const files: [what: string, file: string | Buffer, ids: string[], given?: Partial<ListReading>][] = [
    ['line ends of three systems', 'a\r\nb\nc\rd', ['a', 'b', 'c', 'd']],
    ['CR alone', 'contactId,name\ra1,Ann\rb2,Bo\r', ['a1', 'b2']],
    ['a declared separator', 'sep=;\r\ncontactId;name\r\na1;Ann, the first\r\n', ['a1']],
    ['a declared separator against the given one', 'sep=;\na1;Ann\n', ['a1'], { separator: 'comma', column: 1 }],
    ['the separator that a header shows', 'name;contactId\nAnn, Bo;a1\n', ['a1']],
    ['the separator that all lines show', 'a1\tAnn\nb2\tBo\n', ['a1', 'b2'], { column: 1 }],
    ['the separator of rows that go on over lines', '"a1"\t"two\nlines;"\nb2\t"x;\ny"\n', ['a1', 'b2'], { column: 1 }],
    [
      'a column that a header names though it is said to be there',
      'n,contactId\nAnn,a1\n',
      ['a1'],
      { header: 'present' },
    ],
    ['blanks of every kind around', '\u00A0a1\u3000\n  b2\t\n"\u2003c3 "\n', ['a1', 'b2', 'c3']],
    ['marks without a width around', '\uFEFFa1\u200B\n\u202Db2\u202C\n\u2060c3\u200F\n', ['a1', 'b2', 'c3']],
    ['the apostrophe of our exports', "'+886912345678\n'=a\n''=b\n'plain\n", ['+886912345678', '=a', "'=b", "'plain"]],
    ['numbers kept by a formula', '="00123"\n"=""00456"""\n', ['00123', '00456']],
    ['rows without text', 'contactId;name\na1;Ann\n;\n ; \n\nb2;\n', ['a1', 'b2'], { separator: 'semicolon' }],
    ['exports joined to one file', '\uFEFFcontactId,name\na1,Ann\n\uFEFFcontactId,name\nb2,Bo\n', ['a1', 'b2']],
    ['cells over several lines', 'contactId,address\na1,"1 Main St\nc9"\nb2,"x\r\n\r\ny"\n', ['a1', 'b2']],
    ['UTF-16 with a mark', utf16('\uFEFFcontactId\tname\r\na1\t安\r\n'), ['a1']],
    ['UTF-16, big-endian', utf16('\uFEFFa1\nü2\n', true), ['a1', 'ü2']],
    ['UTF-16 without a mark', utf16('a1\r\nb2\r\n'), ['a1', 'b2']],
    ['names in another encoding', Buffer.from([...Buffer.from('contactId,name\na1,'), 0xa6, 0x77, 0x0a]), ['a1']],
  ];
  for (const [what, file, ids, given] of files)
    it(`reads ${what}`, async () => {
      for (const pieces of [1, 3, 1000]) expect(await read(file, given, pieces)).to.deep.equal({ ids, skipped: 0 });
    });

  it('refuses what cannot be read for certain, by line', async () => {
    expect((await read('8.86912E+11\nb2\n')).errors).to.deep.equal(['/1 id_rewritten']);
    expect((await read('sep=|\na|b\n')).errors).to.deep.equal(['/1 line_not_one_id']);
    expect((await read('a1;Ann\nb2;Bo\n')).errors).to.deep.equal(['/1 line_not_one_id', '/2 line_not_one_id']);
    expect((await read(Buffer.from([0xa6, 0x77, 0x0a]))).errors).to.deep.equal(['/1 line_not_utf8']);
    expect((await read('a\uFFFDb\n')).errors).to.deep.equal(['/1 line_not_utf8']);
  });

  it('refuses a file without a valid line, also where invalid ones are left out', async () => {
    for (const invalidLines of ['refuse', 'skip'] as const) {
      expect(await read('', { invalidLines })).to.deep.equal({ ids: [], skipped: 0, errors: [] });
      expect(await read('\n \n', { invalidLines })).to.deep.equal({ ids: [], skipped: 0, errors: [] });
      expect(await read('contactId\n', { invalidLines })).to.deep.equal({ ids: [], skipped: 0, errors: [] });
      expect((await read('a,b\nc,d', { invalidLines })).errors).to.have.length(2);
    }
  });

  it('leaves out the line whose quotes do not close, and no other', async () => {
    const file = 'Ann,a1\n"Bo,b2\nCy,c3\n"Di, Dr.",d4\nEd,e5\n"Fay,f6';
    const given = { column: 2, header: 'absent', invalidLines: 'skip', separator: 'comma' } as const;
    expect(await read(file, given)).to.deep.equal({ ids: ['a1', 'c3', 'd4', 'e5'], skipped: 2 });
  });

  it('accounts for every line of whatever is given', async () => {
    const piece = fc.constantFrom('a', 'b2', ',', ';', '"', '""', '=', ' ', '\u00A0', 'ü', "'", '\t');
    const line = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.nat(9), async (lines, pieces) => {
        const given = { header: 'absent', separator: 'comma', column: 1, invalidLines: 'skip' } as const;
        const { ids, skipped, errors } = await read(lines.join('\n'), given, pieces + 1);
        const blank = (text: string) => text.replaceAll(/[\s,"=]/g, '') === '';
        const most = lines.filter((text) => text.trim() !== '').length;
        const least = lines.some((text) => text.includes('"')) ? 0 : lines.filter((text) => !blank(text)).length;
        const accounted = errors ? skipped : ids.length + skipped;
        expect(accounted).to.be.within(least, most);
      }),
      { numRuns: 500 },
    );
  });

  it('reads our own exports back: each id is the same, or its line is refused', async () => {
    const columns = { name: ({ name }: Row) => name, contactId: ({ id }: Row) => id };
    interface Row {
      id: string;
      name: string;
    }
    const hostile = fc.constantFrom(
      '"',
      "'",
      ',',
      ';',
      '\n',
      '\r',
      '=',
      '+',
      '-',
      '@',
      '\t',
      'sep=;',
      '號',
      '\u202E',
      'a',
      '1',
    );
    const text = fc.array(hostile, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    // What is around an id belongs to no list, and so is not of one that a list could have had.
    const id = text.map((middle) => `x${middle}y`).chain((whole) => fc.constantFrom(whole, `=${whole}`, `'+${whole}`));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id, name: text }), { minLength: 1, maxLength: 8 }),
        fc.nat(20),
        async (rows, pieces) => {
          const { ids } = await read(
            csvHeader(columns) + csvLines(columns, rows),
            { invalidLines: 'refuse' },
            pieces + 1,
          );
          expect(ids).to.deep.equal(rows.map((row) => row.id));
        },
      ),
      { numRuns: 500 },
    );
  });
});
