import * as l10n from '@vscode/l10n';
import { type Failure, isKnown, SENTENCES } from '../contract/failures.ts';
import { isObject } from '../contract/json.ts';

/** What a service of this project says, in the language of the person; `undefined` for what has no code that is known. */
export function inWords(said: unknown): string | undefined {
  if (!isObject(said) || !isKnown(said.code) || !Array.isArray(said.params)) return undefined;
  return l10n.t(SENTENCES[said.code], ...said.params.map((param: unknown) => inWords(param) ?? String(param)));
}

/** The same of what this program says by itself. */
export const told = (failure: Failure): string => inWords(failure) ?? failure.detail;

/** Fields in which a resource says something to people. */
const SPOKEN = ['error', 'series_left_out', 'description', 'warnings', 'details'];

/** A resource of a service with what it says to people in their language. */
export function toldInWords(resource: unknown): unknown {
  if (!isObject(resource)) return resource;
  const told = SPOKEN.filter((key) => key in resource).map((key) => [key, spoken(resource[key])] as const);
  return { ...resource, ...Object.fromEntries(told) };
}

const spoken = (said: unknown): unknown =>
  Array.isArray(said) ? said.map((one: unknown) => inWords(one) ?? one) : (inWords(said) ?? toldInWords(said));
