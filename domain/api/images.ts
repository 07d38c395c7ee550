import { z } from 'zod';
import { imageWarnings } from '../images/image-check.ts';
import { MAXIMUM_IMAGE_BYTES } from '../images/image-file.ts';
import { operation } from './operation.ts';
import { httpUrl } from './primitives.ts';

/** A message has at most one picture and each of ten buttons another; five messages make a campaign. */
const MAXIMUM_URLS = 55;

export const imageCheckSchema = z
  .object({
    url: z.string(),
    /** Pixels; null where it could not be read. */
    width: z.int().nullable(),
    height: z.int().nullable(),
    /** Null where it could not be read; at most 5 MiB are read. */
    bytes: z.int().nullable(),
    warnings: z.array(z.enum(imageWarnings)),
  })
  .meta({ id: 'ImageCheck' });
export type ImageCheck = z.infer<typeof imageCheckSchema>;

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
  checkImages: operation({
    method: 'post',
    path: '/images:check',
    tag: 'image',
    summary: 'Opens the pictures of a message as phones will, and says what is wrong with them',
    description:
      'Warnings keep nothing from being sent. A picture is read within 5 s, three redirects included, and only from the ' +
      'public internet over https.',
    access: 'write',
    body: z.object({ urls: z.array(httpUrl).min(1).max(MAXIMUM_URLS) }),
    status: 200,
    response: z.object({ images: z.array(imageCheckSchema) }),
  }),
};
