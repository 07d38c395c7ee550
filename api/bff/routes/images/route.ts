import { randomUUID } from 'node:crypto';
import type { FileService } from '../../../../clients/files/file-service.ts';
import { imageOperations } from '../../../../domain/api/images.ts';
import { invalidField, Problem } from '../../../../domain/api/problem.ts';
import { imageTypeOf, imageTypes, type ImageType, isWholeImage } from '../../../../domain/images/image-file.ts';
import { readBody } from '../../../http/body.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { ServeConsole } from '../serve-console.ts';

export interface ImageDeps {
  /** Null where FILES_URL is off. */
  files: FileService | null;
  logger: Logger;
}

/** @throws Problem `invalid_content` for anything but a whole picture. */
function typeOf(bytes: Buffer): ImageType {
  const type = imageTypeOf(bytes);
  const reason = type === null ? 'image_type' : isWholeImage(bytes, type) ? null : 'image_broken';
  if (type && !reason) return type;
  throw new Problem('invalid_content', 'The file is no picture that can be sent', {
    errors: [invalidField('', reason ?? 'image_type')],
  });
}

export function imageRoutes(serve: ServeConsole, { files, logger }: ImageDeps): void {
  const operation = imageOperations.uploadImage;
  serve(operation, {
    async handle({ ctx }) {
      if (!files) throw new Problem('invalid_state', 'No file service is set up: set FILES_URL');
      const bytes = await readBody(ctx, operation.maxBodyBytes);
      const type = typeOf(bytes);
      const requestId = String(ctx.state['requestId']);
      // The name says nothing about who uploaded what, and nobody can guess it.
      const name = `${randomUUID()}.${imageTypes[type]}`;
      const outcome = await files.store({ name, type, bytes, requestId });
      if (outcome.kind === 'stored') return { url: outcome.url };
      logger.warn({ requestId, reason: outcome.message }, 'the file service did not store a picture');
      throw new Problem('unavailable', 'The file service did not store the picture');
    },
  });
}
