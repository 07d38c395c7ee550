/** Why an event was dropped whose contact had been erased after it occurred. */
export const ERASED_REASON = 'The contact was erased';

/** Begins the reason of an event that the database refused, before the SQLSTATE in brackets and the database's own text. */
export const REFUSED_BY_DATABASE = 'The database refused it';
