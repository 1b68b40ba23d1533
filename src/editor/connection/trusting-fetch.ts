import { readText } from '#platform/files';
import { fetchTelling, fetchWith } from '#platform/trusting-fetch';
import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';

/** The platform’s `fetch`; what a browser keeps from a page is told with what the service can do about it. */
export const fetchRemote = (name: () => string): typeof fetch =>
  fetchTelling(
    (header) =>
      new ServiceError(
        'unreachable',
        vscode.l10n.t(
          '{0} answers, but this browser does not let the editor see it. Its operator must have it send the header “{1}”.',
          name(),
          header,
        ),
      ),
  );

/** A `fetch` that also trusts the certificate authorities of a PEM file. */
export const fetchTrusting = (file: string): typeof fetch =>
  fetchWith(
    () => authoritiesOf(file),
    () => vscode.workspace.getConfiguration().get('http.systemCertificates') !== false,
  );

function authoritiesOf(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    throw new ServiceError(
      'untrusted',
      vscode.l10n.t(
        'Cannot read the file of certificate authorities {0} ({1}). Check the setting forecasts.caFiles.',
        file,
        code,
      ),
    );
  }
}
