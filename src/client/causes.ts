/** Failures of the connection before anything was sent. */
export const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** An error and its causes. */
export function chain(error: unknown): Error[] {
  const errors: Error[] = [];
  for (let at = error; at instanceof Error && errors.length < 8; at = at.cause) {
    errors.push(at);
    if (at instanceof AggregateError) errors.push(...at.errors.flatMap(chain));
  }
  return errors;
}

/** The codes (or names) along an error’s causes. */
export const causes = (error: unknown): string[] =>
  chain(error).map((one) => {
    const { code } = one as { code?: unknown };
    return typeof code === 'string' ? code : one.name;
  });
