import { expect } from 'chai';
import * as fc from 'fast-check';
import { useBackend } from '#test/support/fixtures/services.ts';
import { changes, INPUTS, mutated } from './odd-bytes.ts';

const letters = fc.string({ unit: fc.constantFrom(...'abcXYZ0189-_.:@/#號é'), minLength: 1, maxLength: 12 });
/** Ids that no reading can take for anything else: a letter first and last, so that no sign of a spreadsheet is part of one. */
const id = letters.map((middle) => `k${middle}z`);
const cell = fc.oneof(
  letters,
  fc.constantFrom('', 'Bo, the 2nd', 'a;b', 'say "hi"', 'two\nlines', '\u202Eodd', '=1+1', '安'),
);

/** How programs write a list. */
const dialect = fc.record({
  separator: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  header: fc.boolean(),
  encoding: fc.constantFrom('utf8', 'utf8 with a mark', 'utf16le', 'utf16be'),
  quoting: fc.constantFrom('needed', 'always'),
  around: fc.constantFrom('', ' ', '\u00A0', '\u200B'),
  names: fc.boolean(),
  lastLineEnds: fc.boolean(),
});
type Dialect = typeof dialect extends fc.Arbitrary<infer Drawn> ? Drawn : never;

interface Row {
  id: string;
  name: string;
}

const drawn = fc.record({ rows: fc.array(fc.record({ id, name: cell }), { minLength: 1, maxLength: 12 }), dialect });

function written(rows: Row[], { separator, lineEnd, header, quoting, around, names, lastLineEnds }: Dialect): string {
  const quoted = (text: string) =>
    quoting === 'always' || /["\r\n,;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map(({ id: contactId, name }) =>
    [quoted(around + contactId + around), ...(names ? [quoted(name)] : [])].join(separator),
  );
  const above = header ? [['contactId', ...(names ? ['name'] : [])].map(quoted).join(separator)] : [];
  return [...above, ...lines].join(lineEnd) + (lastLineEnds ? lineEnd : '');
}

function encoded(text: string, { encoding }: Dialect): Buffer {
  if (encoding === 'utf8') return Buffer.from(text);
  if (encoding === 'utf8 with a mark') return Buffer.from(`\uFEFF${text}`);
  const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return encoding === 'utf16le' ? little : little.swap16();
}

/** All readings of these bytes, without what quotes and marks do to text. */
function readings(bytes: Buffer): string {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  return [bytes.toString(), even.toString('utf16le'), Buffer.from(even).swap16().toString('utf16le')].join('\n');
}

describe('lists as they may come', function () {
  this.timeout(60_000 + INPUTS * 60);
  const backend = useBackend();
  let audienceId: string;
  let token: string;
  before(async () => {
    await backend.install('t1');
    token = await backend.token('t1');
    const body = { serviceNumberId: 'sn-1', name: 'L', type: 'contacts', contactIds: ['old'] };
    ({ audienceId } = (await backend.call('POST', '/audiences', { token, body })).body);
  });

  const put = (raw: Buffer, query: string) =>
    backend.call('PUT', `/audiences/${audienceId}/contacts?${query}`, { token, raw, contentType: 'text/csv' });
  const members = (): Promise<string[]> =>
    backend.db('audience_member').where({ audience_id: audienceId }).pluck('contact_id');

  const each = <Drawn>(all: fc.Arbitrary<Drawn>, seed: number): Drawn[] =>
    fc.sample(all, { seed, numRuns: INPUTS / 2 });

  it('are stored as their programs show them', async () => {
    const seed = Date.now();
    for (const { rows, dialect: as } of each(drawn, seed)) {
      const text = written(rows, as);
      const column = as.names && !as.header ? '&column=1' : '';
      const { status, body } = await put(encoded(text, as), `invalidLines=refuse${column}`);
      const told = `seed ${seed}: ${JSON.stringify({ text, as, body })}`;
      expect(status, told).to.equal(200);
      expect(new Set(await members()), told).to.deep.equal(new Set(rows.map((row) => row.id)));
    }
  });

  it('keep what is left of them, and nothing that they do not say', async () => {
    const seed = Date.now();
    const broken = fc.record({
      rows: fc.array(fc.record({ id, name: letters }), { minLength: 2, maxLength: 12 }),
      how: changes,
      skip: fc.boolean(),
    });
    let refused = 0;
    for (const { rows, how, skip } of each(broken, seed)) {
      const before = new Set(await members());
      const lines = rows.map((row) => `${row.id},${row.name}`);
      const bytes = mutated(Buffer.from(lines.join('\n')), how);
      const query = `separator=comma&column=1&header=absent&invalidLines=${skip ? 'skip' : 'refuse'}`;
      const { status, body } = await put(bytes, query);
      const told = `seed ${seed}: ${JSON.stringify({ sent: bytes.toString(), body })}`;
      expect(status, told).to.be.oneOf([200, 422]);
      const after = await members();
      if (status === 422) {
        refused += 1;
        expect(new Set(after), told).to.deep.equal(before);
        continue;
      }
      const said = readings(bytes);
      expect(
        after.filter((member) => !said.includes(member)),
        told,
      ).to.deep.equal([]);
      // Quotes that someone broke may hold lines together, and zeros make another encoding of it.
      if (bytes.includes('"') || bytes.includes(0) || bytes[0] === 0xfe || bytes[0] === 0xff) continue;
      const whole = new Set(bytes.toString().split(/\r\n|\n|\r/));
      const kept = rows.filter((_, at) => whole.has(lines[at] ?? ''));
      expect(after, told).to.include.members(kept.map((row) => row.id));
    }
    expect(refused, 'some are refused, some are not').to.be.within(INPUTS * 0.02, INPUTS * 0.45);
  });
});
