import { createServer } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import { listen } from '#test/support/http/listen.ts';
import { Problem } from '#domain/api/problem.ts';
import { createLogger } from '../runtime/logger.ts';
import { problemResponses } from './problem-responses.ts';

describe('responses to failed requests', () => {
  const failed = (code: string | undefined, message = 'it failed') => Object.assign(new Error(message), { code });
  const passing: [string, Error][] = [
    ['a connection that the database closed', failed(undefined, 'select 1 - Connection terminated unexpectedly')],
    ['a database that crashed, or does not accept connections yet', failed('57P02')],
    ['a database that takes no writes', failed('25006')],
    ['a database without free resources', failed('53200')],
    ['a transaction that gave way to another', failed('40P01')],
    ['a wait for a row that took too long', failed('55P03')],
    ['a transaction that was idle for too long', failed('25P03')],
    ['a service that is not there', failed('ECONNREFUSED')],
    ['a call that the database kept from being made', new Error('no secrets', { cause: failed('25006') })],
  ];
  const defects: [string, Error][] = [
    ['an invalid statement', failed('42703')],
    ['a file that is missing', failed('ENOENT')],
    ['anything else', failed(undefined)],
  ];
  let failure: Error;
  const lines: string[] = [];
  const logger = createLogger('test', 'warn', { write: (line) => void lines.push(line) });
  const app = new Koa().use(problemResponses(logger)).use(() => {
    throw failure;
  });
  const server = createServer(app.callback());
  let address: string;
  before(async () => {
    address = await listen(server);
  });
  after(() => server.close());

  async function answered(error: Error) {
    failure = error;
    const response = await fetch(address);
    const { code } = (await response.json()) as { code: string };
    return [response.status, code, response.headers.get('retry-after')];
  }

  for (const [what, error] of passing)
    it(`asks the caller to retry after ${what}`, async () =>
      expect(await answered(error)).to.deep.equal([503, 'unavailable', '1']));

  it('logs what is behind a part that is unavailable, and nothing of what a caller has to wait for', async () => {
    lines.length = 0;
    const refused = failed('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.9:443');
    await answered(new Problem('unavailable', 'The identity service cannot be reached', { cause: refused }));
    expect(lines.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message)).to.deep.equal([
      'connect ECONNREFUSED 10.0.0.9:443',
    ]);
    expect(await answered(new Problem('unavailable', 'Too much is being received'))).to.include(503);
    expect(lines).to.have.length(1);
  });

  for (const [what, error] of defects)
    it(`reports ${what} as our fault`, async () =>
      expect(await answered(error)).to.deep.equal([500, 'internal', null]));
});
