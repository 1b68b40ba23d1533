const NAMES: readonly string[] = [
  ...['mon|tue|wed|thu|fri|sat|sun', 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'],
  ...['|tues||thur|||', '|||thurs|||', 'mo|di|mi|do|fr|sa|so', '|||||sonnabend|'],
  ...['montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag', 'lun|mar|mer|jeu|ven|sam|dim'],
  ...['lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche', '||mié|jue|vie|sáb|dom', '||mie|||sab|'],
  ...['lunes|martes|miércoles|jueves|viernes|sábado|domingo', '|||gio|ven|sab|dom'],
  ...['lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica', 'seg|ter|qua|qui|sex|sáb|dom'],
  ...['ma|di|wo|do|vr|za|zo', 'maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag'],
  ...['pon|wt|śr|czw|pt|sob|nd', '月|火|水|木|金|土|日', '월|화|수|목|금|토|일'],
  ...['周一|周二|周三|周四|周五|周六|周日', '星期一|星期二|星期三|星期四|星期五|星期六|星期日'],
];
const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names) => names.split('|').map((name, day) => [name, day] as const)).filter(([name]) => name !== ''),
);

export const weekdayOf = (text: string): number | undefined => WEEKDAYS.get(text.toLowerCase().replace(/\.$/, ''));

const BEFORE = /^(\p{L}{2,12})\.?,?\s(?=\d)/u;
const BEHIND = /\s?\((\p{L}{1,12})\.?\)$/u;

/** A date without the day of the week that stands before it or, in brackets, behind it: `Mo, 01.07.2024`, `2024/7/1(月)`. */
export function withoutWeekday(text: string): string {
  const first = text.charCodeAt(0);
  const startsWithDigit = first >= 48 && first <= 57;
  if (startsWithDigit ? text.charCodeAt(text.length - 1) !== 41 : text.length > 60) return text;
  const [written = '', name = ''] = (startsWithDigit ? BEHIND : BEFORE).exec(text) ?? [];
  if (weekdayOf(name) === undefined) return text;
  return startsWithDigit ? text.slice(0, -written.length) : text.slice(written.length).trimStart();
}
