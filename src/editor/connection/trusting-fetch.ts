import { readText } from '#platform/files';
import { fetchWith } from '#platform/trusting-fetch';
import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';

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
