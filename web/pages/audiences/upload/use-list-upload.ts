import { computed, onScopeDispose, ref, shallowRef } from 'vue';
import { useI18n } from 'vue-i18n';
import type { SavedAudience } from '#domain/api/audiences.ts';
import { type CsvLayout, guessLayout } from '#domain/contacts/csv.ts';
import { type LineErrorCode, lineErrors } from '#domain/line-errors.ts';
import { ApiProblem } from '#web/api/http/problem.ts';
import { uploadContacts } from '#web/api/http/upload.ts';
import { useForgetAudiences } from '#web/api/queries/audiences.ts';
import { countLines, firstLines } from './file-lines.ts';
import { useToasts } from '#web/composables/use-toasts.ts';

export type TargetList = Pick<SavedAudience, 'audienceId' | 'etag'>;

export interface UploadTarget {
  /** The list that the file replaces, created if there is none yet. */
  audience: (file: File) => Promise<TargetList>;
  /** Deletes the audience that `audience` created if nothing was stored in it. */
  discard?: (created: TargetList) => Promise<unknown>;
}

export interface Uploaded {
  audienceId: string;
  memberCount: number;
  duplicates: number;
  unknown: number;
  skipped: number;
}

/** An invalid line of the file. */
export interface InvalidLine {
  line: number;
  /** How it begins. */
  text: string;
  /** Null for a reason that this console does not know yet; the message says it. */
  code: LineErrorCode | null;
  message: string;
}

/** A chosen file before it is uploaded. */
export interface Sample {
  lines: string[];
  /** How many lines are not blank. */
  count: number;
}

const isLineError = (code: string | undefined): code is LineErrorCode => code !== undefined && code in lineErrors;

/** The lines that a refusal names. */
function invalidLines(problem: unknown): InvalidLine[] {
  if (!(problem instanceof ApiProblem) || problem.code !== 'invalid_content') return [];
  return problem.errors.flatMap(({ path, message, code, params }) => {
    if (!/^\/\d+$/.test(path)) return [];
    const text = String(params?.['text'] ?? '');
    return [{ line: Number(path.slice(1)), text, code: isLineError(code) ? code : null, message }];
  });
}

/** Uploads one CSV file at a time: how it is read, its progress, its result and its invalid lines. */
export function useListUpload({ audience, discard }: UploadTarget) {
  const { t } = useI18n();
  const { addToast } = useToasts();
  const forget = useForgetAudiences();
  const file = shallowRef<File | null>(null);
  const sample = shallowRef<Sample | null>(null);
  const layout = ref<CsvLayout>(guessLayout([]));
  const sent = ref(0);
  const state = ref<'idle' | 'chosen' | 'sending' | 'storing' | 'done' | 'cancelled' | 'failed'>('idle');
  const result = shallowRef<Uploaded | null>(null);
  const error = shallowRef<unknown>(null);
  let controller: AbortController | null = null;

  const isRunning = computed(() => state.value === 'sending' || state.value === 'storing');
  const refused = computed(() => ({
    lines: invalidLines(error.value),
    counts: error.value instanceof ApiProblem ? error.value.counts : {},
  }));

  /** Reads how the file begins, and guesses where its ids are. */
  async function choose(chosen: File): Promise<void> {
    if (isRunning.value) return;
    error.value = null;
    result.value = null;
    try {
      const [lines, count] = await Promise.all([firstLines(chosen), countLines(chosen)]);
      file.value = chosen;
      sample.value = { lines, count };
      layout.value = guessLayout(lines);
      state.value = 'chosen';
    } catch (problem) {
      error.value = problem;
      state.value = 'failed';
    }
  }

  async function store(chosen: File, keep: 'refuse' | 'skip', signal: AbortSignal): Promise<Uploaded> {
    const list = await audience(chosen);
    const { separator, column, hasHeader } = layout.value;
    const header = hasHeader ? ('present' as const) : ('absent' as const);
    try {
      const response = await uploadContacts(list.audienceId, chosen, {
        signal,
        etag: list.etag,
        reading: { separator, header, invalidLines: keep, ...(column !== null && { column }) },
        onProgress(now, all) {
          sent.value = all > 0 ? now / all : 1;
          if (now >= all) state.value = 'storing';
        },
      });
      return { ...response, audienceId: list.audienceId };
    } catch (problem) {
      await discard?.(list);
      throw problem;
    }
  }

  /** @returns what was stored; null if it was cancelled or failed. */
  async function start(keep: 'refuse' | 'skip' = 'refuse'): Promise<Uploaded | null> {
    const chosen = file.value;
    if (isRunning.value || !chosen) return null;
    sent.value = 0;
    error.value = null;
    result.value = null;
    state.value = 'sending';
    controller = new AbortController();
    try {
      const stored = await store(chosen, keep, controller.signal);
      // Read again first: the next file replaces the list as it is now.
      await forget();
      result.value = stored;
      state.value = 'done';
    } catch (problem) {
      state.value = controller.signal.aborted ? 'cancelled' : 'failed';
      if (state.value === 'failed') error.value = problem;
      await forget();
    }
    return result.value;
  }

  const cancel = () => controller?.abort();
  onScopeDispose(() => {
    if (!isRunning.value) return;
    cancel();
    addToast({ kind: 'error', title: t('upload.stopped', { name: file.value?.name ?? '' }) });
  });

  return { file, sample, layout, sent, state, isRunning, result, error, refused, choose, start, cancel };
}
