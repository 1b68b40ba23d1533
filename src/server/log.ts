import { pino, type Logger } from 'pino';

export type Log = Logger;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** What may not be in a log, whatever brings it there: tokens of this service, credentials of a header or an address. */
const SECRETS: readonly [RegExp, string][] = [
  [/tsf_[\w-]{10,}/g, 'tsf_…'],
  [/(bearer|basic) +[^\s"'\\,;]+/gi, '$1 …'],
  [/(:\/\/[^\s/:@"'\\]*):[^\s/"'\\]+@/g, '$1:…@'],
];

const FIELDS = ['authorization', 'cookie', 'token', 'secret', 'sealed', 'digest', 'password'];

/** A log of one JSON object a line, without secrets. @param secrets further texts that are removed */
export function newLog(
  level: (typeof LOG_LEVELS)[number],
  write: (line: string) => void,
  secrets: readonly string[] = [],
): Log {
  const paths = FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '…' },
    },
    { write: (line) => write(withoutSecrets(line, secrets)) },
  );
}

function withoutSecrets(line: string, secrets: readonly string[]): string {
  let clean = line;
  for (const secret of secrets) {
    // as it stands in JSON, where a quotation mark or a backslash of it has another before it
    if (secret !== '') clean = clean.replaceAll(JSON.stringify(secret).slice(1, -1), '…');
  }
  for (const [pattern, by] of SECRETS) clean = clean.replace(pattern, by);
  return clean;
}

/** An id of a request that another program gave, where it can be one; else a new one. */
export function requestId(given: string | null): string {
  return given !== null && /^[\w.:/+=-]{1,128}$/.test(given) && !/tsf_/.test(given) ? given : crypto.randomUUID();
}
