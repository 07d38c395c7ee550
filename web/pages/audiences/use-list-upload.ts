import { computed, onScopeDispose, ref, shallowRef } from 'vue';
import { type LineErrorCode, lineErrors } from '../../../domain/line-errors.ts';
import { ApiProblem } from '../../api/http/problem.ts';
import { uploadContacts } from '../../api/http/upload.ts';
import { useForgetAudiences } from '../../api/queries/audiences.ts';

export interface UploadTarget {
  /** The list that the file replaces, created if there is none yet. */
  audienceId: (file: File) => Promise<string>;
  /** Deletes the audience that `audienceId` created if nothing was stored in it. */
  discard?: (audienceId: string) => Promise<unknown>;
}

export interface Uploaded {
  audienceId: string;
  memberCount: number;
  duplicates: number;
}

/** An invalid line of the file. */
export interface InvalidLine {
  line: number;
  /** Null for a reason that this console does not know yet; the message says it. */
  code: LineErrorCode | null;
  message: string;
}

const isLineError = (code: string | undefined): code is LineErrorCode => code !== undefined && code in lineErrors;

/** Uploads one CSV file at a time: its progress, its result and its invalid lines. */
export function useListUpload({ audienceId, discard }: UploadTarget) {
  const forget = useForgetAudiences();
  const file = shallowRef<File | null>(null);
  const sent = ref(0);
  const state = ref<'idle' | 'sending' | 'storing' | 'done' | 'cancelled' | 'failed'>('idle');
  const result = shallowRef<Uploaded | null>(null);
  const error = shallowRef<unknown>(null);
  let controller: AbortController | null = null;

  const isRunning = computed(() => state.value === 'sending' || state.value === 'storing');
  const lines = computed<InvalidLine[]>(() =>
    error.value instanceof ApiProblem && error.value.code === 'invalid_content'
      ? error.value.errors.flatMap(({ path, message, code }) =>
          /^\/\d+$/.test(path) ? [{ line: Number(path.slice(1)), code: isLineError(code) ? code : null, message }] : [],
        )
      : [],
  );

  async function store(chosen: File, signal: AbortSignal): Promise<Uploaded> {
    const id = await audienceId(chosen);
    try {
      const response = await uploadContacts(id, chosen, {
        signal,
        onProgress(now, all) {
          sent.value = all > 0 ? now / all : 1;
          if (now >= all) state.value = 'storing';
        },
      });
      return { ...response, audienceId: id };
    } catch (problem) {
      await discard?.(id);
      throw problem;
    }
  }

  /** @returns what was stored; null if it was cancelled or failed. */
  async function start(chosen: File): Promise<Uploaded | null> {
    if (isRunning.value) return null;
    file.value = chosen;
    sent.value = 0;
    error.value = null;
    result.value = null;
    state.value = 'sending';
    controller = new AbortController();
    try {
      result.value = await store(chosen, controller.signal);
      state.value = 'done';
    } catch (problem) {
      state.value = controller.signal.aborted ? 'cancelled' : 'failed';
      if (state.value === 'failed') error.value = problem;
    }
    await forget();
    return result.value;
  }

  const cancel = () => controller?.abort();
  onScopeDispose(cancel);

  return { file, sent, state, isRunning, result, error, lines, start, cancel };
}
