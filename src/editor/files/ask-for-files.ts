import * as vscode from 'vscode';
import { FORECAST_FILE } from '../../contract/forecast-file.ts';
import { alone, pickOne } from '../ui/steps.ts';
import { SERIES_ENDINGS } from './endings.ts';
import { fileNameOf } from './document.ts';

/** More files of a workspace would not be looked through. */
const MOST_LISTED = 200;

/**
 * Lets the person choose files: from the series files of the workspace, else from the disk.
 * @param title what the files are for, as the title of the list and of the dialog
 * @throws Cancelled where the list is closed @returns none where the dialog is closed
 */
export async function askForFiles(title: string, button = vscode.l10n.t('Forecast')): Promise<vscode.Uri[]> {
  const listed = await vscode.workspace.findFiles(
    `**/*.{${SERIES_ENDINGS.join(',')}}`,
    '**/{node_modules,.*}/**',
    MOST_LISTED,
  );
  const isLikely = (uri: vscode.Uri) => !/(^|\/)(package(-lock)?|tsconfig[^/]*|[^/]*\.config|requirements|LICEN[CS]E|README)\.(json|txt)$/i.test(uri.path); // prettier-ignore
  const files = listed
    .filter((uri) => isLikely(uri) && !FORECAST_FILE.test(uri.path))
    .toSorted((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
  if (files.length > 0) {
    const items = files.map((uri) => {
      const path = vscode.workspace.asRelativePath(uri);
      const name = fileNameOf(uri);
      return { label: name, description: path === name ? '' : path.slice(0, -name.length - 1), uri };
    });
    const placeholder = vscode.l10n.t('Which file?');
    const browse = {
      label: `$(folder-opened) ${vscode.l10n.t('Choose a file elsewhere…')}`,
      description: '',
      uri: undefined,
    };
    const { uri } = await pickOne<{ label: string; description: string; uri: vscode.Uri | undefined }>({
      place: alone(title),
      placeholder,
      items: [...items, browse],
    });
    if (uri) return [uri];
  }
  const chosen = await vscode.window.showOpenDialog({
    title,
    canSelectMany: true,
    openLabel: button,
    filters: { [vscode.l10n.t('Series files')]: [...SERIES_ENDINGS] },
  });
  return chosen ?? [];
}
