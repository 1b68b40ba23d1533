/** Failures of the connection before anything was sent. */
const NOT_SENT: ReadonlySet<string> = new Set([
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

/**
 * Whether a failure came before anything was sent: no connection, or an address that `fetch` itself does not go to (such as
 * port 9), which is the one kind of failure of the network that no code stands behind.
 */
export function isNotSent(error: unknown): boolean {
  const codes = chain(error).flatMap((one) => codeOf(one) ?? []);
  return codes.length === 0 ? chain(error).at(-1)?.name === 'Error' : codes.some((code) => NOT_SENT.has(code));
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** The codes (or names) along an error’s causes. */
export const causes = (error: unknown): string[] => chain(error).map((one) => codeOf(one) ?? one.name);

/** What a certificate is refused for, by the code that Node has for it (`node:tls`, OpenSSL’s `X509_V_ERR_…`). */
const FAULTS = [
  ['host', /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/],
  ['time', /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/],
  ['issuer', /SELF_SIGNED_CERT|ISSUER_CERT|LEAF_SIGNATURE|^CERT_UNTRUSTED$/],
  ['other', /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO$)/],
] as const;

/** Why no secure connection was made, before anything was sent; `undefined` for any other failure. */
export function tlsFault(
  error: unknown,
): { readonly code: string; readonly kind: (typeof FAULTS)[number][0] } | undefined {
  for (const code of chain(error).flatMap((one) => codeOf(one) ?? [])) {
    const found = FAULTS.find(([, pattern]) => pattern.test(code));
    if (found) return { code, kind: found[0] };
  }
  return undefined;
}
