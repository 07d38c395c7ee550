import { expect } from 'chai';
import { createNonce } from '#domain/signature.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { rawConnection, type RawConnection } from '#test/support/http/raw-connection.ts';
import { clickEvent } from '#test/support/outreach/webhook-events.ts';
import { installed, signedCall, type TestIntegration } from '#test/support/services/bff.ts';
import { eventually } from '#test/support/time/eventually.ts';

const MIB = 1_048_576;
/** What the calls that name one integration may occupy, in calls of 1 MiB. */
const ROOM_OF_ONE = 16;
const ROOM_OF_ALL = 64;

describe('bodies that nobody has signed', () => {
  const bff = useBff();
  const opened: RawConnection[] = [];
  afterEach(() => opened.splice(0).forEach((connection) => connection.close()));

  /** Announces a body of so many bytes in the name of an integration, and sends this much of it. */
  function begin(path: string, tenantIntegrationId: string, length: number, part = ''): RawConnection {
    const connection = rawConnection(bff.url);
    opened.push(connection);
    const signed = [
      `authorization: PLATFORM ${tenantIntegrationId}:${'A'.repeat(43)}=`,
      `x-platform-nonce: ${createNonce()}`,
    ];
    connection.send(`POST ${path} HTTP/1.1`, 'host: bff', ...signed, `content-length: ${length}`, '', part);
    return connection;
  }
  /** All of a body but its last byte. */
  const nearly = 'x'.repeat(MIB - 1);
  const fill = (path: string, ids: string[]): RawConnection[] => ids.map((id) => begin(path, id, MIB, nearly));
  const refused = (connections: RawConnection[]) =>
    connections.filter((one) => /^HTTP\/1.1 503 [^]*\r\nretry-after: 1\r\n/i.test(one.heard())).length;
  const isTaken = async (integration: TestIntegration) =>
    (await signedCall(bff, '/webhook', integration, clickEvent())).status === 200;

  it('are not waited for if nobody knows the integration, and the connection goes on', async () => {
    const stranger = begin('/webhook', 'nobody', MIB);
    await eventually('it is refused', () => stranger.heard().startsWith('HTTP/1.1 401'));
    stranger.send('x'.repeat(MIB - 2));
    stranger.send('xxGET /healthz HTTP/1.1', 'host: bff', '', '');
    await eventually('the next call is served', () => stranger.heard().includes('HTTP/1.1 200'));
  });

  it('are not waited for if they announce too much', async () => {
    const { tenantIntegrationId } = await installed(bff);
    const long = begin('/webhook', tenantIntegrationId, MIB + 1);
    await eventually('it is refused', () => long.heard().startsWith('HTTP/1.1 413'));
  });

  it('are counted with those of others, however much they announce', async () => {
    const [liar, other] = [await installed(bff), await installed(bff)];
    for (const { tenantIntegrationId } of [liar, other]) {
      const one = begin(
        '/webhook',
        tenantIntegrationId,
        tenantIntegrationId === liar.tenantIntegrationId ? 2 ** 40 : MIB + 1,
      );
      await eventually('it is refused', () => one.heard().startsWith('HTTP/1.1 413'));
    }
    const ids = [liar.tenantIntegrationId, other.tenantIntegrationId];
    const counted = await eventually('both are counted', async () => {
      const found = await bff.rows('webhook_refusal').whereIn('tenant_integration_id', ids).select();
      return found.length === 2 ? found : undefined;
    });
    const byId = new Map(counted.map((row) => [row['tenantIntegrationId'], row['lastBytes']]));
    expect(ids.map((id) => byId.get(id))).to.deep.equal([2_147_483_647, MIB + 1]);
  });

  it('take a bounded room for each integration, and what has arrived slowly makes room for what it really sends', async () => {
    const [attacked, other] = [await installed(bff), await installed(bff)];
    const calls = fill(
      '/webhook',
      Array.from({ length: 24 }, () => attacked.tenantIntegrationId),
    );
    await eventually(
      'those beyond its room are told to come again',
      () => refused(calls) >= calls.length - ROOM_OF_ONE,
    );
    expect(refused(calls)).to.equal(calls.length - ROOM_OF_ONE);
    expect(await isTaken(attacked)).to.equal(true);
    expect(await isTaken(other)).to.equal(true);
  });

  it('take a bounded room together, installs included', async () => {
    const integrations = await Promise.all(Array.from({ length: 4 }, () => installed(bff)));
    const ids = integrations.flatMap(({ tenantIntegrationId: id }) => Array.from({ length: ROOM_OF_ONE }, () => id));
    const calls = [
      ...fill(
        '/install',
        Array.from({ length: 20 }, (_, index) => `made-up-${index}`),
      ),
      ...fill('/webhook', ids),
    ];
    await eventually('those beyond the room are told', () => refused(calls) >= calls.length - ROOM_OF_ALL);
    const other = await installed(bff);
    expect(await isTaken(other)).to.equal(true);
    expect(refused(calls)).to.be.within(calls.length - ROOM_OF_ALL, calls.length - ROOM_OF_ALL + 1);
  });
});
