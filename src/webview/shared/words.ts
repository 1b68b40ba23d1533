import * as l10n from '@vscode/l10n';
import { writeNumbersIn } from '../../calendar/digits.ts';

// the editor hands the words of its language over with the page; this comes before whatever says one of them
const {
  lang,
  dataset: { words },
} = document.documentElement;
if (words !== undefined) {
  l10n.config({ contents: words });
  writeNumbersIn(lang);
}
