import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger } from '#api/runtime/logger.ts';
import { contactId } from '#test/support/services/backend.ts';
import { outcomesOf } from '#test/support/outreach/outcomes.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { Progress } from '#domain/api/campaign.ts';
import { createProgressStreams } from './progress-stream.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('progress as a stream', () => {
  const backend = useTwoTenants({ contacts: 10 });

  const open = async (id: string): Promise<{ response: IncomingMessage; text: () => string; close: () => void }> => {
    const request = get(`${backend.base}/internal/v1/campaigns/${id}/stream`, {
      headers: { Authorization: `Bearer ${backend.operator}` },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => (text += part));
    response.on('error', () => {});
    return { response, text: () => text, close: () => request.destroy() };
  };
  const events = (text: string): Progress[] =>
    [...text.matchAll(/event: progress\nid: \S+\ndata: (.*)\n\n/g)].map(
      (match) => JSON.parse(match[1] ?? '') as Progress,
    );

  const progress: Progress = {
    status: 'sending',
    preparing: { contacts: 0 },
    audienceCount: 1,
    subTasks: {},
    summary: { sent: 0, delivered: 0, failed: 0, read: 0 },
    outcomes: outcomesOf({ notYet: 1 }),
    startedAt: null,
    finishedAt: null,
    pace: null,
  };

  it('begins with the state, sends each change once, and ends when its reader leaves', async () => {
    const id = await backend.draft({ audience: { type: 'contacts', contactIds: [1, 2, 3].map(contactId) } });
    const reader = await open(id);
    const second = await open(id);
    expect(reader.response.statusCode).to.equal(200);
    expect(reader.response.headers['content-type']).to.match(/^text\/event-stream/);
    await eventually('the first event', () => events(reader.text()).length === 1);
    await backend.act(id, 'send');
    await eventually('the change', () => events(reader.text()).length === 2 && events(second.text()).length === 2);
    expect(events(reader.text())[1]).to.deep.include({
      status: 'sending',
      subTasks: { pending: { tasks: 1, contacts: 3 } },
    });
    second.close();
    await backend.db('broadcast_task').where({ campaign_id: id }).update({ status: 'sending' });
    await eventually('the next change', () => events(reader.text()).length === 3);
    reader.close();
  });

  it('says what became of each contact: what the platform finished without sending was held back by its rules', async () => {
    const contactIds = Array.from({ length: 10 }, (_, index) => contactId(index + 1));
    const id = await backend.draft({ audience: { type: 'contacts', contactIds } });
    await backend.act(id, 'send');
    const read = async () => (await backend.call('GET', `/campaigns/${id}/progress`)).body.outcomes;
    const report = (row: object) => backend.db('broadcast_task').where({ campaign_id: id }).update(row);
    expect(await read()).to.deep.equal(outcomesOf({ notYet: 10 }));
    await report({ status: 'sending', sent: 5, delivered: 2, failed: 1 });
    expect(await read()).to.deep.equal(outcomesOf({ delivered: 2, sent: 2, failed: 1, notYet: 5 }));
    await report({ status: 'completed', sent: 8, delivered: 7, failed: 1 });
    expect(await read()).to.deep.equal(outcomesOf({ delivered: 7, failed: 1, heldBack: 2 }));
    await report({ status: 'completed', sent: null, delivered: null, failed: null });
    expect(await read()).to.deep.equal(outcomesOf({ uncounted: 10 }));
    await report({ status: 'completed', sent: 30, delivered: 30, failed: 30 });
    expect(await read(), 'counts beyond the audience').to.deep.equal(outcomesOf({ delivered: 10 }));
    for (const [status, outcome] of [
      ['failed', 'refused'],
      ['rejected', 'refused'],
      ['unknown', 'unknown'],
      ['cancelled', 'cancelled'],
    ] as const) {
      await report({ status, sent: 0, delivered: 0, failed: 0 });
      expect(await read(), status).to.deep.equal(outcomesOf({ [outcome]: 10 }));
    }
  });

  it('ends all streams when the service stops', async () => {
    const id = await backend.draft();
    const reader = await open(id);
    await eventually('the first event', () => events(reader.text()).length === 1);
    const ended = once(reader.response, 'end');
    backend.endStreams();
    await ended;
  });

  it('reads once for all watchers, sends heartbeats, and stops reading when nobody watches', async () => {
    let reads = 0;
    const streams = createProgressStreams({
      read: async () => {
        reads += 1;
        if (reads === 2) throw new Error('the database is away');
        return progress;
      },
      excluded: async () => [],
      logger: createLogger('test', 'silent'),
      lookMs: 10,
      heartbeatMs: 10,
    });
    const texts = ['', '', ''];
    const opened = texts.map((_, n) =>
      streams
        .open({ tenantId: 'a', id: 'x' }, progress, null)
        .on('data', (part: Buffer) => (texts[n] += part.toString())),
    );
    await eventually('reads and heartbeats', () => reads >= 4 && texts.every((text) => text.includes(': alive')));
    for (const text of texts) expect(events(text)).to.have.length(1);
    for (const stream of opened) stream.destroy();
    const after = reads;
    await setTimeout(60);
    expect(reads).to.be.at.most(after + 1);
    streams.end();
  });

  it('still sends the last state to slow readers', async () => {
    let reads = 0;
    const long = { ...progress, startedAt: 'x'.repeat(100_000) };
    const streams = createProgressStreams({
      read: async () => {
        reads += 1;
        return { ...long, audienceCount: Math.min(reads, 9) };
      },
      excluded: async () => [],
      logger: createLogger('test', 'silent'),
      lookMs: 1,
    });
    const stream = streams.open({ tenantId: 'a', id: 'x' }, long, null);
    try {
      await eventually('the last state, while nobody reads', () => reads > 20);
      let text = '';
      stream.on('data', (part: Buffer) => (text += part.toString()));
      await eventually('the last state', () => events(text).at(-1)?.audienceCount === 9);
    } finally {
      stream.destroy();
      streams.end();
    }
  });
});
