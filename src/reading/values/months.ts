/** Month names of the languages that statistics files come in: full names; their first three letters or more count too. */
const NAMES: readonly (readonly string[])[] = [
  ['january', 'januar', 'janvier', 'enero', 'gennaio', 'janeiro', 'januari', 'jaenner', 'styczen', 'leden'],
  ['february', 'februar', 'fevrier', 'febrero', 'febbraio', 'fevereiro', 'februari', 'luty', 'unor'],
  ['march', 'maerz', 'marz', 'mars', 'marzo', 'marco', 'maart', 'marts', 'marzec', 'brezen'],
  ['april', 'avril', 'abril', 'aprile', 'kwiecien', 'duben'],
  ['may', 'mai', 'mayo', 'maggio', 'maio', 'mei', 'maj', 'kveten'],
  ['june', 'juni', 'juin', 'junio', 'giugno', 'junho', 'czerwiec', 'cerven'],
  ['july', 'juli', 'juillet', 'julio', 'luglio', 'julho', 'lipiec', 'cervenec'],
  ['august', 'aout', 'agosto', 'augustus', 'augusti', 'sierpien', 'srpen'],
  ['september', 'septembre', 'septiembre', 'setembro', 'settembre', 'wrzesien', 'zari'],
  ['october', 'oktober', 'octobre', 'octubre', 'ottobre', 'outubro', 'pazdziernik', 'rijen'],
  ['november', 'novembre', 'noviembre', 'novembro', 'listopad'],
  ['december', 'dezember', 'decembre', 'diciembre', 'dicembre', 'dezembro', 'grudzien', 'prosinec'],
];

const LEAST_LETTERS = 3;

function build(): Map<string, number> {
  const months = new Map<string, number>();
  const clashing = new Set<string>();
  const put = (name: string, month: number) => {
    const other = months.get(name);
    if (other !== undefined && other !== month) clashing.add(name);
    months.set(name, month);
  };
  NAMES.forEach((names, index) => {
    for (const name of names) {
      for (let length = LEAST_LETTERS; length <= name.length; length++) put(name.slice(0, length), index + 1);
    }
  });
  // English abbreviations win over clashes of other languages; other clashing ones name no month.
  for (const name of clashing) months.delete(name);
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].forEach((name, index) =>
    months.set(name, index + 1),
  );
  return months.set('mrz', 3).set('sept', 9).set('juil', 7).set('luty', 2).set('maj', 5);
}

const MONTHS = build();

/** 1 to 12 for a month's name or abbreviation in any case, with or without accents and a full stop; else `undefined`. */
export function monthOfName(text: string): number | undefined {
  const known = MONTHS.get(text.toLowerCase());
  if (known !== undefined || /^[a-z]+$/i.test(text)) return known;
  const plain = text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '');
  return MONTHS.get(plain);
}
