import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { broadcast, contactIds, eventually, installTenant, signedCall, startRunning } from '../testing/running.ts';
import type { Installed, Running } from '../testing/running.ts';

describe('sandbox: pages', () => {
  let running: Running;
  let installed: Installed;

  before(async () => {
    running = await startRunning();
    installed = await installTenant(running);
    await running.call('PUT', '/sandbox/clock', {
      startDelayMs: 0,
      sendDurationMs: 0,
      governanceShare: 0,
      failedShare: 0,
    });
  });
  after(() => running.end());

  const text = async (path: string) => {
    const { status, body } = await running.call('GET', path);
    expect(status, path).to.equal(200);
    return String(body.text);
  };

  it('shows overview, platform, payments and the embedded host', async () => {
    expect(await text('/')).to.include('1,500');
    expect(await text('/admin')).to.include(`${installed.tenantIntegrationId}:rotate-secret`);
    expect(await text('/payment-gateway')).to.include('No charge yet');
    expect(await text('/assets/sandbox.css')).to.include('--accent');
    expect(await text('/pictures/spring')).to.include('<svg');
    expect((await running.call('GET', '/assets/..%2Fhtml.ts')).status).to.equal(404);
  });

  it('gives the embedded page its token and context only over the bridge', async () => {
    await running.call('POST', '/sandbox/people', {
      sub: 'mia',
      name: 'Mia',
      tenantId: 't1',
      roles: ['marketing_operator'],
    });
    const page = await text('/host?slot=contact-touch&tenant=t1&contact=c000007');
    const bridge = JSON.parse(/id="bridge">([^<]*)</.exec(page)?.[1] ?? '') as {
      origin: string;
      init: Record<string, string>;
    };
    expect(bridge.origin).to.equal(running.application.url);
    expect(bridge.init).to.include({ tenantId: 't1', serviceNumberId: 'sn1', contactId: 'c000007' });
    expect(decodeJwt(bridge.init.token ?? '')).to.deep.include({
      sub: 'mia',
      tenantId: 't1',
      roles: ['marketing_operator'],
    });
    expect(page).to.include(`data-src="${running.application.url}/embed/contact-touch"`);
  });

  it('shows cards on the recipient’s phone, harmless whatever they contain, and accepts clicks', async () => {
    const message = broadcast(contactIds(1, 2));
    const title = '<script>alert(1)</script>';
    const { body } = await signedCall(running, installed, 'POST', '/openapi/v1/service-numbers/sn1/broadcasts', {
      ...message,
      messages: [{ ...message.messages[0], title }],
    });
    await eventually(
      async () => (await running.call('GET', `/sandbox/tasks/${body.taskId}`)).body.status === 'completed',
    );
    const page = await text('/phone?tenant=t1&contact=c000001');
    expect(page).to.include('&lt;script&gt;alert(1)').and.to.not.include(title);
    const [, postback = ''] = /data-post="(\/notice-postback\/[^"]+)"/.exec(page) ?? [];
    const clicked = await running.call('POST', postback, {});
    expect([clicked.status, clicked.body.displayText]).to.deep.equal([200, 'Yes']);
    expect(await text('/phone/screen?tenant=t1&contact=c000001')).to.include('class="reply">Yes<');
    expect(await text('/phone/screen?tenant=t1&contact=c000009')).to.include('No messages yet');
    expect((await running.call('POST', postback.replace(/_0_0\//, '_5_0/'), {})).status).to.equal(404);
    expect((await running.call('GET', postback.replace('postback', 'click'))).status).to.equal(404);
  });
});
