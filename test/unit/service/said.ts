/** The sentence of what a service says, as it comes over the wire. */
export const said = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'detail' in value ? String(value.detail) : '';
