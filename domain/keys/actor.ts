const ACTOR = /^key:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Who an API key is, where otherwise a person's id is: in the audit log, and as the author of a change. */
export const keyActor = (keyId: string): string => `key:${keyId}`;

export const isKeyActor = (userId: string): boolean => ACTOR.test(userId);
