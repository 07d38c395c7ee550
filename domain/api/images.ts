import { z } from 'zod';
import { MAXIMUM_IMAGE_BYTES } from '../images/image-file.ts';
import { operation } from './operation.ts';
import { httpUrl } from './primitives.ts';

/** Served by the BFF itself: the bytes go to the file service, and nothing of them is stored here. */
export const imageOperations = {
  uploadImage: operation({
    method: 'post',
    path: '/images',
    tag: 'image',
    summary: 'Stores a picture and returns its address, for messages',
    description:
      'PNG, JPEG, GIF or WebP, at most 5 MiB; the bytes decide which, not the `Content-Type`. Whoever knows the address ' +
      'can see the picture. `invalid_state` where no file service is set up (`FILES_URL`).',
    access: 'write',
    bodyType: 'image/*',
    maxBodyBytes: MAXIMUM_IMAGE_BYTES,
    status: 201,
    response: z.object({ url: httpUrl }).meta({ id: 'Image' }),
    errors: ['invalid_state', 'invalid_content'],
  }),
};
