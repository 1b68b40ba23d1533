import * as l10n from '@vscode/l10n';

// the editor hands the words of its language over with the page; this comes before whatever says one of them
const { words } = document.documentElement.dataset;
if (words !== undefined) l10n.config({ contents: words });
