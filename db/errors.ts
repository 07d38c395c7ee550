/** Of an error of the driver, or of the one that a model's query wraps. */
function codeOf(error: unknown): string {
  const { code, nativeError } = (error ?? {}) as { code?: unknown; nativeError?: { code?: unknown } };
  return String(code ?? nativeError?.code ?? '');
}

/** The SQLSTATE of an error for which `isStatementError` holds. */
export const sqlStateOf = codeOf;

/** Whether PostgreSQL itself reported the error, with a SQLSTATE. */
export const isStatementError = (error: unknown): boolean => /^[0-9A-Z]{5}$/.test(codeOf(error));

export const isMissingDatabase = (error: unknown): boolean => codeOf(error) === '3D000';

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

/** Class 22: the data itself cannot be stored, whatever else is in the batch. */
export const isDataError = (error: unknown): boolean => codeOf(error).startsWith('22');

/** Whether nothing can be written: the server is a standby, or was made read-only, as some are when their disk is full. */
export const takesNoWrites = (error: unknown): boolean => codeOf(error) === '25006';

/** Connection (08), a transaction that yielded to another (40), resources (53), shutdown or cancellation (57), no writes. */
const unavailableStates = /^((08|40|53|57)[0-9A-Z]{3}|25006)$/;
/** A system error of the server (58), a lock that was not available, and a transaction that was idle for too long. */
const otherTransientStates = /^(58[0-9A-Z]{3}|55P03|25P03)$/;

/** The driver reports it without a code, and knex prepends the statement. */
const connectionCut = /(Connection terminated( unexpectedly)?|is not queryable)$/;

/** Whether the database was unavailable or busy, so that the caller should retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, name, message } = (error ?? {}) as Record<'code' | 'name' | 'message', unknown>;
  return (
    unavailableStates.test(codeOf(error)) ||
    name === 'KnexTimeoutError' ||
    (code === undefined && connectionCut.test(String(message)))
  );
}

/** Yielded to another transaction (40), a lock, a statement or a transaction that took too long. */
const busyStates = /^(40[0-9A-Z]{3}|55P03|57014|25P03)$/;

/** Whether a statement was cancelled, as those are that exceed their time limit. */
export const isOutOfTime = (error: unknown): boolean => codeOf(error) === '57014';

/** Whether a statement timed out waiting for a lock. */
export const isLocked = (error: unknown): boolean => codeOf(error) === '55P03';

/** Whether the database, or a row, is in use by too many others: nothing was written, and repeating it helps. */
export function isBusy(error: unknown): boolean {
  return busyStates.test(codeOf(error)) || (error as { name?: unknown } | null)?.name === 'KnexTimeoutError';
}

/** Whether the statement failed for a passing reason rather than because of its data. Includes lost connections, e.g. ECONNRESET. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  return unavailableStates.test(code) || otherTransientStates.test(code) || /^E[A-Z]+$/.test(code);
}

/** Whether the same statement may succeed later: the database is away or busy, and the data is not at fault. */
export const mayPass = (error: unknown): boolean => isDatabaseUnavailable(error) || isTransient(error) || isBusy(error);
