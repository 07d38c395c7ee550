import { computed, ref, shallowRef, type Ref } from 'vue';
import type { Campaign, CampaignPatch } from '#domain/api/campaign.ts';
import { ApiProblem } from '#web/api/http/problem.ts';
import type { VersionedCampaign } from '#web/api/queries/campaigns.ts';
import { canonical } from '#domain/json-text.ts';
import { type DraftFields, type EditedCampaign, type FieldName, fieldNames } from './draft.ts';

/** `incomplete`: the valid parts are saved, the rest cannot be saved yet. */
export type SaveState = 'untouched' | 'saved' | 'unsaved' | 'incomplete' | 'saving' | 'failed' | 'conflict';

/** Another user has saved in the meantime. Nothing is written until the operator has chosen. */
export interface Conflict {
  theirs: VersionedCampaign;
  /** Changed there and not here. */
  onlyTheirs: FieldName[];
  /** Changed on both sides, differently. */
  both: FieldName[];
}

export interface DraftSaverDeps {
  raw: Readonly<Ref<Record<FieldName, string>>>;
  fields: Readonly<Ref<DraftFields>>;
  create: (body: EditedCampaign) => Promise<VersionedCampaign>;
  update: (id: string, etag: string | null, body: CampaignPatch) => Promise<VersionedCampaign>;
  read: (id: string) => Promise<VersionedCampaign>;
}

/** Which parts differ between two versions of a campaign. */
export function differingFields(one: Campaign, other: Campaign): FieldName[] {
  return fieldNames.filter((field) => canonical(one[field]) !== canonical(other[field]));
}

/** Saves a draft part by part: creates it once it is valid enough, then sends only changes, one request at a time. */
export function createDraftSaver({ raw, fields, create, update, read }: DraftSaverDeps) {
  const stored = shallowRef<VersionedCampaign | null>(null);
  const savedRaw = ref<Record<FieldName, string>>({ ...raw.value });
  const error = shallowRef<unknown>(null);
  const conflict = shallowRef<Conflict | null>(null);
  const isSaving = ref(false);
  let running: Promise<void> | null = null;

  const changed = computed(() => fieldNames.filter((field) => raw.value[field] !== savedRaw.value[field]));
  const savable = computed(() => {
    const valid = fieldNames.filter((field) => field in fields.value.valid);
    if (stored.value) return changed.value.filter((field) => valid.includes(field));
    return changed.value.length > 0 && valid.length === fieldNames.length ? [...fieldNames] : [];
  });

  const state = computed<SaveState>(() => {
    if (conflict.value) return 'conflict';
    if (isSaving.value) return 'saving';
    if (error.value) return 'failed';
    if (savable.value.length > 0) return 'unsaved';
    if (changed.value.length > 0) return 'incomplete';
    return stored.value ? 'saved' : 'untouched';
  });

  /** Takes a version as the stored one, and the editor's current content as equal to it. */
  function adopt(version: VersionedCampaign): void {
    stored.value = version;
    savedRaw.value = { ...raw.value };
  }

  async function meetConflict(id: string): Promise<void> {
    const theirs = await read(id);
    const base = stored.value?.campaign ?? theirs.campaign;
    const differing = differingFields(base, theirs.campaign);
    const mine = new Set(changed.value);
    const { valid } = fields.value;
    const isAlike = (field: FieldName) => canonical(valid[field]) === canonical(theirs.campaign[field]);
    conflict.value = {
      theirs,
      onlyTheirs: differing.filter((field) => !mine.has(field)),
      both: differing.filter((field) => mine.has(field) && !isAlike(field)),
    };
  }

  async function saveOnce(): Promise<void> {
    const names = [...savable.value];
    const sent = { ...raw.value };
    const { valid } = fields.value;
    const body = Object.fromEntries(names.map((field) => [field, valid[field]])) as EditedCampaign;
    const before = stored.value;
    try {
      stored.value = before ? await update(before.campaign.id, before.etag, body) : await create(body);
      for (const field of names) savedRaw.value[field] = sent[field];
      error.value = null;
    } catch (problem) {
      if (before && problem instanceof ApiProblem && problem.code === 'stale') await meetConflict(before.campaign.id);
      else throw problem;
    }
  }

  async function run(): Promise<void> {
    isSaving.value = true;
    try {
      while (savable.value.length > 0 && !conflict.value) await saveOnce();
    } catch (problem) {
      error.value = problem;
    } finally {
      isSaving.value = false;
    }
  }

  /** Saves what can be saved; resolves when nothing savable is left, or saving failed. */
  function save(): Promise<void> {
    if (conflict.value) return Promise.resolve();
    error.value = null;
    running ??= run().finally(() => (running = null));
    return running;
  }

  /**
   * Resolves a conflict: `taken` are the parts that the editor now shows as stored; the others stay as edited here
   * and are saved over the new version.
   */
  function settle(taken: FieldName[]): void {
    if (!conflict.value) return;
    stored.value = conflict.value.theirs;
    for (const field of taken) savedRaw.value[field] = raw.value[field];
    conflict.value = null;
  }

  /** Shows what somebody else has changed since the draft was read. */
  async function compare(): Promise<void> {
    if (stored.value) await meetConflict(stored.value.campaign.id);
  }

  /** Asks about what was written over an earlier version than the one that is stored. */
  function dispute(): void {
    const theirs = stored.value;
    if (!theirs) return;
    const { valid } = fields.value;
    const both = changed.value.filter((field) => canonical(valid[field]) !== canonical(theirs.campaign[field]));
    if (both.length > 0) conflict.value = { theirs, onlyTheirs: [], both };
  }

  return { stored, state, error, conflict, changed, adopt, save, settle, compare, dispute };
}
