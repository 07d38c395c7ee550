/** Of the object as it is stored, null where there is none. @throws Problem `stale` if someone changed it after the caller read it. */
export type RevisionCheck = (revision: number | null) => void;

/** For a caller that does not say what it has read. */
export const anyRevision: RevisionCheck = () => undefined;
