import { z } from 'zod';
import { ok, param, SandboxError, route } from '#sandbox/http/route.ts';
import type { Call, Route } from '#sandbox/http/route.ts';
import { actionOf, findNotice, isDelivered } from '../broadcasts/notices.ts';
import type { Clicks } from './clicks.ts';
import type { Notice } from '../broadcasts/notices.ts';
import type { Tasks } from '../broadcasts/tasks.ts';

/** Where a customer's client reports clicks: Url actions by following a link, Postbacks by a call. */
export function clickRoutes(deps: { tasks: Tasks; clicks: Clicks }): Route[] {
  const received = (call: Call): { notice: Notice; actionIndex: number } => {
    const notice = findNotice(deps.tasks, param(call, 'noticeId'));
    const actionIndex = Number(param(call, 'actionIndex'));
    if (!notice || !isDelivered(notice.task, notice.index) || !Number.isInteger(actionIndex)) {
      throw new SandboxError(404, 'not_found', 'there is no such notice');
    }
    return { notice, actionIndex };
  };
  return [
    {
      code: 'click',
      method: 'GET',
      path: '/notice-click/{noticeId}/{actionIndex}',
      description: null,
      handle: (call) => {
        const { notice, actionIndex } = received(call);
        const action = actionOf(notice.task, notice.messageIndex, actionIndex);
        if (action.type !== 'Url') throw new SandboxError(404, 'not_found', 'this button is no link');
        deps.clicks.click(notice, actionIndex);
        return { status: 302, headers: { Location: action.url ?? '/' } };
      },
    },
    route(
      { code: 'postback', method: 'POST', path: '/notice-postback/{noticeId}/{actionIndex}' },
      {
        summary: 'A customer presses a Postback button',
        response: z.object({ eventId: z.string(), displayText: z.string() }),
      },
      (call) => {
        const { notice, actionIndex } = received(call);
        const action = actionOf(notice.task, notice.messageIndex, actionIndex);
        if (action.type !== 'Postback') throw new SandboxError(404, 'not_found', 'this button is a link');
        const { eventId } = deps.clicks.click(notice, actionIndex);
        return ok({ eventId, displayText: action.displayText ?? action.label });
      },
    ),
  ];
}
