import { SandboxError } from '#sandbox/http/route.ts';
import type { Action } from './messages.ts';
import { fateOf, reachedAt, statusOf } from './outcomes.ts';
import type { Task, Tasks } from './tasks.ts';

/** A card that a contact has: one message of one task. Its id encodes both, so that notices need not be stored. */
export interface Notice {
  noticeId: string;
  task: Task;
  index: number;
  messageIndex: number;
  contactId: string;
}

export function noticeIdOf(task: Task, index: number, messageIndex: number): string {
  return `notice_${task.taskId.slice('task_'.length)}_${index}_${messageIndex}`;
}

/** The notice with this id, whether or not it has been delivered. */
export function findNotice(tasks: Tasks, noticeId: string): Notice | undefined {
  const match = /^notice_([0-9a-f]+)_(\d+)_(\d+)$/.exec(noticeId);
  const task = tasks.find(`task_${match?.[1] ?? ''}`);
  if (!task) return undefined;
  const index = Number(match?.[2]);
  const messageIndex = Number(match?.[3]);
  const contactId = task.contactIds[index];
  if (contactId === undefined || !task.messages[messageIndex]) return undefined;
  return { noticeId, task, index, messageIndex, contactId };
}

/** Whether the recipient has received the task's cards. */
export function isDelivered(task: Task, index: number, now = Date.now()): boolean {
  const { run } = task;
  return run !== undefined && fateOf(run, index) === 'delivered' && reachedAt(task, run, index) <= now;
}

/**
 * A button of a card.
 * @throws Refusal 404
 */
export function actionOf(task: Task, messageIndex: number, actionIndex: number): Action {
  const message = task.messages[messageIndex];
  const action = message?.type === 'buttons' ? message.actions[actionIndex] : undefined;
  if (!action) throw new SandboxError(404, 'not_found', 'the card has no such button');
  return action;
}

/**
 * The notice of a task's contact.
 * @throws Refusal 404 if the contact is not in the task, 409 if nothing has been delivered (yet)
 */
export function noticeOf(task: Task, contactId: string, messageIndex: number): Notice {
  const index = task.contactIds.indexOf(contactId);
  if (index < 0 || !task.messages[messageIndex])
    throw new SandboxError(404, 'not_found', 'the contact has no such card');
  if (!isDelivered(task, index)) {
    throw new SandboxError(409, 'not_delivered', 'the contact has not received this card', {
      status: statusOf(task, Date.now()),
      fate: task.run ? fateOf(task.run, index) : null,
    });
  }
  return { noticeId: noticeIdOf(task, index, messageIndex), task, index, messageIndex, contactId };
}
