import { MONTH_NAMES, shortMonth } from '../../calendar/format.ts';

/** Month names beside the English ones of the languages that statistics files come in: their first three letters or more count too. */
const NAMES: readonly (readonly string[])[] = [
  ['januar', 'janvier', 'enero', 'gennaio', 'janeiro', 'januari', 'jaenner', 'styczen', 'leden'],
  ['februar', 'fevrier', 'febrero', 'febbraio', 'fevereiro', 'februari', 'luty', 'unor'],
  ['maerz', 'marz', 'mars', 'marzo', 'marco', 'maart', 'marts', 'marzec', 'brezen'],
  ['avril', 'abril', 'aprile', 'kwiecien', 'duben'],
  ['mai', 'mayo', 'maggio', 'maio', 'mei', 'maj', 'kveten'],
  ['juni', 'juin', 'junio', 'giugno', 'junho', 'czerwiec', 'cerven'],
  ['juli', 'juillet', 'julio', 'luglio', 'julho', 'lipiec', 'cervenec'],
  ['aout', 'agosto', 'augustus', 'augusti', 'sierpien', 'srpen'],
  ['septembre', 'septiembre', 'setembro', 'settembre', 'wrzesien', 'zari'],
  ['oktober', 'octobre', 'octubre', 'ottobre', 'outubro', 'pazdziernik', 'rijen'],
  ['novembre', 'noviembre', 'novembro', 'listopad'],
  ['dezember', 'decembre', 'diciembre', 'dicembre', 'dezembro', 'grudzien', 'prosinec'],
];

const LEAST_LETTERS = 3;
const LONGEST = 20;

function build(): Map<string, number> {
  const months = new Map<string, number>();
  const clashing = new Set<string>();
  const put = (name: string, month: number) => {
    const other = months.get(name);
    if (other !== undefined && other !== month) clashing.add(name);
    months.set(name, month);
  };
  NAMES.forEach((names, index) => {
    for (const name of [MONTH_NAMES[index]!.toLowerCase(), ...names]) {
      for (let length = LEAST_LETTERS; length <= name.length; length++) put(name.slice(0, length), index + 1);
    }
  });
  // English abbreviations win over clashes of other languages; other clashing ones name no month.
  for (const name of clashing) months.delete(name);
  for (let month = 1; month <= 12; month++) months.set(shortMonth(month).toLowerCase(), month);
  return months.set('mrz', 3).set('mrt', 3).set('sept', 9).set('juil', 7).set('luty', 2).set('maj', 5);
}

const MONTHS = build();

export function monthOfName(text: string): number | undefined {
  const known = MONTHS.get(text.toLowerCase());
  if (known !== undefined || text.length > LONGEST || /^[a-z]+$/i.test(text)) return known;
  const plain = text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '');
  return MONTHS.get(plain);
}
