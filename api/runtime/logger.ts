import { type DestinationStream, pino, type Logger } from 'pino';
import { loggedIds } from '../http/request-id.ts';

export type { Logger };

/** What PostgreSQL adds to an error with the values of the row or the statement. */
const rowFields = new Set(['detail', 'where', 'internalQuery']);

/** Errors about a value begin with this class, and their message quotes the value. */
const DATA_EXCEPTION = '22';

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A serialized error without the data that a database quoted in it, or in the error that it wraps. */
function withoutData(error: Fields): Fields {
  const isDatabases = 'severity' in error;
  const known = Object.entries(error).filter(([name]) => !isDatabases || !rowFields.has(name));
  const clean = Object.fromEntries(known.map(([name, value]) => [name, isFields(value) ? withoutData(value) : value]));
  const { message, stack, code, nativeError } = error;
  const quoting = [code, isFields(nativeError) ? nativeError['code'] : null];
  if (!quoting.some((given) => String(given).startsWith(DATA_EXCEPTION))) return clean;
  const cut = String(message).replaceAll(/"[^"]*"/g, '"…"');
  return { ...clean, message: cut, stack: String(stack).replace(String(message), cut) };
}

/** Errors as pino writes them, without values that the database quotes. */
function serialized(error: Error): unknown {
  const fields: unknown = pino.stdSerializers.err(error);
  return isFields(fields) ? withoutData(fields) : fields;
}

/** Docker cuts a line there, and what is left is no JSON. */
const LONGEST_LINE = 16_384;
const LONGEST_TEXT = 1000;
const MOST_ITEMS = 20;

/** What is long within a value, cut. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)` : value;
  if (Array.isArray(value)) {
    const first = value.slice(0, MOST_ITEMS).map(shortened);
    return value.length > MOST_ITEMS ? [...first, `… (${value.length} items)`] : first;
  }
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

/** The line, or what is needed to find it out otherwise. */
function withinLimit(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line;
  const fields = JSON.parse(line) as Fields;
  const cut = `${JSON.stringify(shortened(fields))}\n`;
  if (Buffer.byteLength(cut) <= LONGEST_LINE) return cut;
  const names = ['level', 'time', 'service', 'requestId', 'traceId', 'msg'];
  const kept = Object.fromEntries(
    names.filter((name) => name in fields).map((name) => [name, shortened(fields[name])]),
  );
  return `${JSON.stringify({ ...kept, leftOut: line.length })}\n`;
}

/**
 * Logs JSON lines to standard output unless a destination is given, with the ids of the request or the trace under way.
 * As a second line of defence, fields that could hold a secret are removed by name.
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    // What a line says itself comes after it, and counts.
    mixin: loggedIds,
    formatters: { level: (name: string) => ({ level: name }) },
    serializers: { err: serialized },
    hooks: { streamWrite: withinLimit },
    redact: {
      paths: ['*.authorization', '*.cookie', '*.token', '*.secret', '*.tenantIntegrationSecret', '*.newSecret'],
      censor: '[cut]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
