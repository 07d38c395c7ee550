import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { expect } from 'chai';
import { listen } from '#test/support/http/listen.ts';
import { isPublicAddress } from './public-address.ts';
import { createOutsideAddresses, type Resolve } from './outside-addresses.ts';
import { createWebhookClient, createWebhookExchange } from '../webhooks/webhook-client.ts';
import { newWebhookSecret } from '../webhooks/standard-webhooks.ts';

const PUBLIC: LookupAddress = { address: '93.184.215.14', family: 4 };

/** Resolves every name to these addresses, the next list each time; then to the last one. */
function resolving(...answers: LookupAddress[][]): Resolve & { names: string[] } {
  const names: string[] = [];
  return Object.assign(
    ((name, done) => {
      names.push(name);
      done(null, answers[Math.min(names.length, answers.length) - 1] ?? []);
    }) satisfies Resolve,
    { names },
  );
}

const unknown: Resolve = (name, done) => done(Object.assign(new Error(name), { code: 'ENOTFOUND' }), []);

describe('Where webhooks may be', () => {
  const production = (resolve: Resolve) => createOutsideAddresses({ production: true, resolve });
  const problem = (url: string, resolve: Resolve = resolving([PUBLIC])) => production(resolve).problemOf(new URL(url));

  it('B14: in production an https address on the public internet is accepted', async () => {
    for (const url of [
      'https://merchant.example/hook',
      'https://merchant.example:8443/hook?a=b',
      'https://merchant.example./hook',
      'https://93.184.215.14/hook',
      'https://[2606:2800:21f:cb07::1]/',
    ])
      expect(await problem(url), url).to.equal(null);
  });

  it('B14: in production http is refused, and so is a user in the URL', async () => {
    expect(await problem('http://merchant.example/')).to.equal('must be https');
    expect(await problem('http://127.0.0.1/')).to.equal('must be https');
    expect(await problem('https://a:b@merchant.example/')).to.contain('user');
  });

  it('B14: in production private addresses are refused, however they are written', async () => {
    for (const host of [
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '017700000001',
      '0.0.0.0',
      '0',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '0xa9fea9fe',
      '100.64.0.1',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '１２７.０.０.１',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:a9fe:a9fe]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fe80::1]',
      '[fc00::1]',
      '[fd00:ec2::254]',
      '[ff02::1]',
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      'printer.local',
      'metadata.google.internal',
      'intranet',
    ])
      expect(await problem(`https://${host}/`), host).to.equal('must be on the public internet');
  });

  it('B14: in production a name is refused if any of its addresses is private', async () => {
    for (const address of ['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fd00::1']) {
      const family = address.includes(':') ? 6 : 4;
      expect(await problem('https://merchant.example/', resolving([PUBLIC, { address, family }])), address).to.equal(
        'must be on the public internet',
      );
    }
  });

  it('a name that cannot be resolved now is accepted', async () => {
    expect(await problem('https://merchant.example/', unknown)).to.equal(null);
  });

  it('B14: elsewhere https is accepted anywhere, and http on this machine', async () => {
    const targets = createOutsideAddresses({ production: false });
    for (const url of ['http://127.0.0.1:4010/x', 'http://localhost:1/', 'http://[::1]/', 'https://10.0.0.1/'])
      expect(await targets.problemOf(new URL(url)), url).to.equal(null);
    for (const url of ['http://merchant.example/', 'http://10.0.0.1/', 'http://localhost.merchant.example/'])
      expect(await targets.problemOf(new URL(url)), url).to.equal('must be https, or http on this machine');
  });

  it('addresses at the edges of the ranges', () => {
    for (const address of ['9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.1'])
      expect(isPublicAddress(address), address).to.equal(true);
    for (const address of ['10.0.0.0', '100.127.255.255', '172.31.255.255', 'merchant.example', ''])
      expect(isPublicAddress(address), address).to.equal(false);
  });
});

describe('Connections to webhooks', () => {
  let connections = 0;
  const server = createServer((_, response) => void response.end());
  server.on('connection', () => (connections += 1));
  let port = '';
  before(async () => {
    ({ port } = new URL(await listen(server)));
  });
  after(() => void server.close());

  async function post(host: string, resolve: Resolve) {
    const targets = createOutsideAddresses({ production: true, resolve });
    const exchange = createWebhookExchange(targets);
    try {
      const client = createWebhookClient({ exchange, targets });
      const event = { eventId: 'e', body: '{}', secrets: [newWebhookSecret()] };
      const url = `https://${host}:${port}/`;
      return { checked: await targets.problemOf(new URL(url)), ...(await client.post({ ...event, url })) };
    } finally {
      await exchange.destroy();
    }
  }

  it('B14: a name that resolves to a private address once it was accepted is not connected to', async () => {
    const rebound = resolving([PUBLIC], [{ address: '127.0.0.1', family: 4 }]);
    const result = await post('merchant.example', rebound);
    expect(rebound.names).to.deep.equal(['merchant.example', 'merchant.example']);
    expect(result).to.deep.include({ checked: null, accepted: false, status: null });
    expect(result.error).to.contain('not on the public internet');
    expect(connections).to.equal(0);
  });

  it('B14: a private address in a stored URL is not connected to', async () => {
    const result = await post('127.0.0.1', resolving());
    expect(result).to.deep.include({ accepted: false, status: null, error: 'the URL must be on the public internet' });
    expect(connections).to.equal(0);
  });
});
