import { computed, onScopeDispose, ref } from 'vue';
import { useI18n } from 'vue-i18n';
import { MAXIMUM_IMAGE_BYTES } from '#domain/images/image-file.ts';
import { ApiProblem } from '#web/api/http/problem.ts';
import { uploadImage } from '#web/api/http/upload.ts';

type Failure = 'tooLarge' | 'type' | 'broken' | 'unknown';

const failureByCode: Record<string, Failure> = { image_type: 'type', image_broken: 'broken', too_large: 'tooLarge' };

function failureOf(problem: unknown): Failure {
  if (!(problem instanceof ApiProblem)) return 'unknown';
  return failureByCode[problem.errors[0]?.code ?? problem.code] ?? 'unknown';
}

/** Uploads one image at a time: its progress, its address, and why it failed. */
export function useImageUpload(stored: (url: string) => void) {
  const { t } = useI18n();
  /** The share that was sent, while an upload runs. */
  const sent = ref<number | null>(null);
  const failure = ref<Failure | null>(null);
  const isDone = ref(false);
  let controller: AbortController | undefined;

  async function upload(file: Blob): Promise<void> {
    controller?.abort();
    const own = (controller = new AbortController());
    isDone.value = false;
    failure.value = file.size > MAXIMUM_IMAGE_BYTES ? 'tooLarge' : null;
    if (failure.value) return;
    sent.value = 0;
    try {
      const { url } = await uploadImage(file, {
        signal: own.signal,
        onProgress: (now, all) => (sent.value = all > 0 ? now / all : 1),
      });
      isDone.value = true;
      stored(url);
    } catch (problem) {
      if (!own.signal.aborted) failure.value = failureOf(problem);
    }
    if (controller === own) sent.value = null;
  }

  const cancel = () => controller?.abort();
  onScopeDispose(cancel);
  return {
    sent,
    isDone,
    failureText: computed(() => (failure.value ? t(`editor.imageUpload.${failure.value}`) : undefined)),
    upload,
    cancel,
  };
}
