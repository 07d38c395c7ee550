import { expect } from 'chai';
import { useBff } from '../support/fixtures/services.ts';
import { rawConnection } from '../support/http/raw-connection.ts';
import { eventually } from '../support/time/eventually.ts';

/** What a proxy in front might take for the body of the first request, and we for a request of its own. */
const smuggled = ['GET /api/v1/me HTTP/1.1', 'Host: smuggled', '', ''];

const ambiguous: Record<string, string[]> = {
  'a length beside chunks': ['Content-Length: 5', 'Transfer-Encoding: chunked', '', '0', '', ...smuggled],
  'two lengths': ['Content-Length: 2', 'Content-Length: 60', '', '{}', ...smuggled],
  'a length with a sign': ['Content-Length: +2', '', '{}', ...smuggled],
  'a length that is a list': ['Content-Length: 2, 2', '', '{}', ...smuggled],
  'an unknown coding': ['Transfer-Encoding: xchunked', '', '0', '', ...smuggled],
  'a coding after chunks': ['Transfer-Encoding: chunked, identity', '', '0', '', ...smuggled],
  'a space before the colon': ['Transfer-Encoding : chunked', '', '0', '', ...smuggled],
  'a folded header': ['X-Folded: a', ' b', 'Content-Length: 0', '', ...smuggled],
  'a chunk of a length with a prefix': ['Transfer-Encoding: chunked', '', '0x2', '{}', '0', '', ...smuggled],
};

describe('the boundaries of requests', () => {
  const bff = useBff();

  for (const [what, rest] of Object.entries(ambiguous))
    it(`refuses requests whose end can be read in two ways: ${what}`, async () => {
      const connection = rawConnection(bff.url);
      connection.send('POST /webhook HTTP/1.1', 'Host: own', 'Content-Type: application/json', ...rest);
      await eventually('the connection has ended', () => Promise.resolve(connection.isClosed()));
      const responses = connection.heard().match(/^HTTP\/1\.1 \d+/gm);
      expect(responses, 'nothing answers what was smuggled').to.have.length(1);
      expect(Number(responses?.[0].slice(-3))).to.be.within(400, 401);
      expect(connection.heard()).to.not.include('/api/v1/me');
    });
});
