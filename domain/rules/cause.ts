import { createHash } from 'node:crypto';

/** What makes a rule assign its tag: a click, a conversation being opened or closed, or a sub-task's silence. */
export type Cause =
  | { kind: 'click'; taskId: string; noticeId: string; actionIndex: number }
  | { kind: 'session'; sessionId: string }
  | { kind: 'silence'; subTaskKey: string };

/**
 * The cause as text of fixed length, since it is part of a primary key and the platform's ids are long. A repeat of a
 * click is the same cause, whatever its event id; a click on another button, or on another message, is a new one.
 */
export function causeKey(cause: Cause): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.values(cause)))
    .digest('base64url');
}
