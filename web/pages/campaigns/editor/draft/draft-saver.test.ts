import { expect } from 'chai';
import { computed, ref } from 'vue';
import type { Campaign, CampaignPatch } from '#domain/api/campaign.ts';
import { ApiProblem } from '#web/api/http/problem.ts';
import type { VersionedCampaign } from '#web/api/queries/campaigns.ts';
import { fieldsOf } from './checks.ts';
import { createDraftSaver } from './draft-saver.ts';
import { type Draft, draftOf, newDraft, rawOf } from './draft.ts';

/** As the server stores it, with the fields that the editor reads. */
const campaign = (more: Partial<Campaign> = {}) =>
  ({
    id: 'c1',
    name: 'Spring',
    serviceNumberId: 'sn1',
    note: '',
    channels: ['default'],
    messages: [{ type: 'text', text: 'Hello' }],
    audience: { type: 'contacts', contactIds: ['a'] },
    schedule: { type: 'immediate' },
    endsAt: null,
    status: 'draft',
    pauseReason: null,
    sourceId: null,
    audienceCount: null,
    summary: { sent: 0, delivered: 0, failed: 0, read: 0 },
    clickedContacts: 0,
    createdBy: 'Ann',
    editedBy: 'Ann',
    createdAt: '2026-11-01T00:00:00Z',
    updatedAt: '2026-11-01T00:00:00Z',
    sentAt: null,
    startedAt: null,
    finishedAt: null,
    closedAt: null,
    ...more,
  }) as Campaign;

/** A server with one campaign and a version number. */
/** What of a patch is shown: these write no quiet hours as `none`. */
const shown = (patch: CampaignPatch) => patch as Partial<Campaign>;

function server(initial: Campaign | null) {
  let stored = initial;
  let version = 1;
  const writes: CampaignPatch[] = [];
  const response = (): VersionedCampaign => {
    if (!stored) throw new Error('nothing stored');
    return { campaign: stored, etag: `"${version}"` };
  };
  return {
    writes,
    response,
    change(more: Partial<Campaign>) {
      stored = campaign({ ...stored, ...more });
      version += 1;
    },
    create: async (body: CampaignPatch) => {
      writes.push(body);
      stored = campaign({ ...shown(body), note: body.note ?? null });
      return response();
    },
    update: async (_: string, etag: string | null, body: CampaignPatch) => {
      if (etag !== `"${version}"`) {
        throw new ApiProblem({ code: 'stale', status: 412, detail: 'changed', requestId: 'r1' });
      }
      writes.push(body);
      stored = campaign({ ...stored, ...shown(body), note: body.note ?? stored?.note ?? null });
      version += 1;
      return response();
    },
    read: async () => response(),
  };
}

function editor(draft: Draft, backend: ReturnType<typeof server>) {
  const model = ref(draft);
  const saver = createDraftSaver({
    raw: computed(() => rawOf(model.value)),
    fields: computed(() => fieldsOf(model.value)),
    ...backend,
  });
  return { model, saver };
}

describe('saving a draft', () => {
  it('creates the draft only once it is valid enough, then sends only changes', async () => {
    const backend = server(null);
    const { model, saver } = editor(newDraft(), backend);
    expect(saver.state.value).to.equal('untouched');
    model.value.name = 'Spring';
    expect(saver.state.value).to.equal('incomplete');
    await saver.save();
    expect(backend.writes).to.deep.equal([]);
    Object.assign(model.value.cards[0] ?? {}, { type: 'text', text: 'Hello' });
    await saver.save();
    expect(saver.state.value).to.equal('saved');
    expect(backend.writes[0]).to.include({ name: 'Spring' });
    expect(backend.writes[0]?.audience).to.deep.equal({ type: 'contacts', contactIds: [] });
    model.value.note = 'for noon';
    await saver.save();
    expect(backend.writes[1]).to.deep.equal({ note: 'for noon' });
  });

  it('saves what was typed while a save was in progress', async () => {
    const backend = server(campaign());
    const { model, saver } = editor(draftOf(campaign(), 'UTC'), backend);
    saver.adopt(backend.response());
    model.value.name = 'Spring 2';
    const saving = saver.save();
    model.value.name = 'Spring 3';
    await saving;
    expect(backend.writes).to.deep.equal([{ name: 'Spring 2' }, { name: 'Spring 3' }]);
    expect(saver.state.value).to.equal('saved');
  });

  it('saves the valid parts and keeps the others for later', async () => {
    const backend = server(campaign());
    const { model, saver } = editor(draftOf(campaign(), 'UTC'), backend);
    saver.adopt(backend.response());
    model.value.name = ' ';
    model.value.note = 'kept';
    await saver.save();
    expect(backend.writes).to.deep.equal([{ note: 'kept' }]);
    expect(saver.state.value).to.equal('incomplete');
  });

  it('overwrites nothing if another user saved, and reports the differences', async () => {
    const backend = server(campaign());
    const { model, saver } = editor(draftOf(campaign(), 'UTC'), backend);
    saver.adopt(backend.response());
    backend.change({ name: 'Theirs', note: 'their note' });
    model.value.name = 'Mine';
    await saver.save();
    expect(backend.writes).to.deep.equal([]);
    expect(saver.state.value).to.equal('conflict');
    expect(saver.conflict.value).to.deep.include({ onlyTheirs: ['note'], both: ['name'] });
    await saver.save();
    expect(backend.writes).to.deep.equal([]);

    model.value.note = 'their note';
    saver.settle(['note']);
    await saver.save();
    expect(backend.writes).to.deep.equal([{ name: 'Mine' }]);
  });

  it('reports no conflict for a part that both changed to the same value', async () => {
    const backend = server(campaign());
    const { model, saver } = editor(draftOf(campaign(), 'UTC'), backend);
    saver.adopt(backend.response());
    backend.change({ name: 'Theirs', endsAt: '2026-12-24T09:00:00.000Z' });
    model.value.name = 'Mine';
    model.value.end = { date: '2026-12-24', time: '09:00', zone: 'UTC', second: false };
    await saver.save();
    expect(saver.conflict.value).to.deep.include({ onlyTheirs: [], both: ['name'] });
    saver.settle([]);
    await saver.save();
    expect(backend.response().campaign).to.include({ name: 'Mine', endsAt: '2026-12-24T09:00:00.000Z' });
    expect(saver.state.value).to.equal('saved');
  });

  it('keeps the error until the next attempt', async () => {
    const backend = server(campaign());
    const { model, saver } = editor(draftOf(campaign(), 'UTC'), {
      ...backend,
      update: () => Promise.reject(new ApiProblem({ code: 'unavailable', status: 503, detail: '', requestId: null })),
    });
    saver.adopt(backend.response());
    model.value.name = 'Spring 2';
    await saver.save();
    expect(saver.state.value).to.equal('failed');
    expect(saver.changed.value).to.deep.equal(['name']);
  });
});
