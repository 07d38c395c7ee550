import { expect } from 'chai';
import { createLogger } from './logger.ts';

describe('logger', () => {
  function logged(error: Error): Record<string, unknown> {
    const lines: string[] = [];
    createLogger('test', 'info', { write: (line) => void lines.push(line) }).error({ err: error }, 'failed');
    return (JSON.parse(lines.join('')) as { err: Record<string, unknown> }).err;
  }

  it('leaves out the rows and values that a database quotes in an error', () => {
    const refused = Object.assign(new Error('violates check constraint "refuses"'), {
      severity: 'ERROR',
      code: '23514',
      detail: 'Failing row contains (Ada Archer).',
      where: 'COPY member, line 1: "Ada Archer"',
      constraint: 'refuses',
    });
    expect(JSON.stringify(logged(refused))).not.to.include('Ada');
    expect(logged(refused)).to.include({ message: refused.message, code: '23514', constraint: 'refuses' });
    const wrapped = Object.assign(new Error('insert failed'), { nativeError: refused, table: 'tag' });
    expect(JSON.stringify(logged(wrapped))).not.to.include('Ada');
    expect(logged(wrapped)).to.include({ table: 'tag' });
    const invalid = new Error('invalid input syntax for type integer: "Ada Archer"');
    const quoted = logged(Object.assign(invalid, { severity: 'ERROR', code: '22P02' }));
    expect(JSON.stringify(quoted)).not.to.include('Ada');
    expect(quoted['message']).to.equal('invalid input syntax for type integer: "…"');
    expect(quoted['stack']).to.include('logger.test.ts');
  });

  it('writes no line that a collector would cut: what is long within it is cut', () => {
    const written = (fields: object) => {
      const lines: string[] = [];
      createLogger('test', 'info', { write: (line) => void lines.push(line) }).info(fields, 'stored');
      const [line = ''] = lines;
      expect(Buffer.byteLength(line)).to.be.at.most(16_384);
      expect(line.endsWith('\n')).to.equal(true);
      return JSON.parse(line) as Record<string, unknown>;
    };
    const ids = Array.from({ length: 2000 }, (_, index) => `event-${index}-${'x'.repeat(20)}`);
    expect(written({ ids, tenantId: 't' })).to.deep.include({ tenantId: 't', msg: 'stored' });
    expect((written({ ids })['ids'] as string[]).at(-1)).to.equal('… (2000 items)');
    expect(String(written({ text: '漢'.repeat(20_000) })['text'])).to.match(/漢… \(20000 characters\)$/);
    const fields = Object.fromEntries(ids.map((id) => [id, 'y'.repeat(50)]));
    expect(written({ requestId: 'r', fields })).to.include({ requestId: 'r', msg: 'stored', service: 'test' });
    expect(written({ fields: 'short' })['fields']).to.equal('short');
  });

  it('keeps every other error whole', () => {
    const error = Object.assign(new Error('went "wrong"', { cause: new Error('deeper') }), {
      code: 'EPIPE',
      detail: 'x',
    });
    expect(logged(error)).to.include({ type: 'Error', code: 'EPIPE', detail: 'x' });
    expect(logged(error)['message']).to.include('went "wrong"');
  });
});
