import type { Journal } from '#sandbox/journal.ts';

/** S0's notice_click_log, plus the task and the event. */
export interface ClickRecord {
  noticeId: string;
  actionIndex: number;
  type: 'Postback' | 'Url';
  data?: string;
  contactId: string;
  clickedAt: string;
  taskId: string;
  eventId: string;
}

export interface Session {
  sessionId: string;
  sourceId: string;
  contactId: string;
  serviceNumberId: string;
  tenantIntegrationId: string;
  openedAt: string;
  closedAt?: string;
  summary?: { duration: number; messageCount: number; agentId: string };
}

type Entry = { kind: 'click'; click: ClickRecord } | { kind: 'session'; session: Session };

const openKey = (sourceId: string, contactId: string): string => `${sourceId} ${contactId}`;

/** Recorded clicks and conversations. */
export function createClickLog(journal: Journal) {
  const clicks: ClickRecord[] = [];
  const sessions = new Map<string, Session>();
  const open = new Set<string>();

  const record = journal.register<Entry>('clicks', {
    apply(entry) {
      if (entry.kind === 'click') {
        clicks.push(entry.click);
        return;
      }
      const { session } = entry;
      sessions.set(session.sessionId, session);
      if (session.closedAt) open.delete(openKey(session.sourceId, session.contactId));
      else open.add(openKey(session.sourceId, session.contactId));
    },
    *dump() {
      for (const click of clicks) yield { kind: 'click', click };
      for (const session of sessions.values()) yield { kind: 'session', session };
    },
  });

  return {
    clicks: () => clicks,
    sessions: () => [...sessions.values()],
    findSession: (sessionId: string) => sessions.get(sessionId),
    hasOpenSession: (sourceId: string, contactId: string) => open.has(openKey(sourceId, contactId)),
    addClick: (click: ClickRecord) => record({ kind: 'click', click }),
    putSession: (session: Session) => record({ kind: 'session', session }),
  };
}

export type ClickLog = ReturnType<typeof createClickLog>;
