const WORDS = [
  'grand[ -]?totals?|sub[ -]?totals?|totals?|sum|sums|overall|average|avg|mean|median',
  'summe|gesamt|gesamtsumme|gesamtergebnis|insgesamt|zwischensumme|endsumme|mittelwert|durchschnitt',
  'totaux|somme|sous-total|ensemble|moyenne|suma|promedio|media|totale|totali|somma|soma|média',
  'totaal|som|subtotaal|gemiddelde|totalt|summa|samlet|i alt|genomsnitt|gennemsnit|gjennomsnitt|yhteensä|keskiarvo',
  'razem|ogółem|łącznie|średnia|celkem|součet|spolu|průměr|összesen|összeg|átlag|medie|toplam|ortalama',
  'итого|итог|всего|сумма|среднее|разом|усього|σύνολο|מחיר כולל|סה"כ|المجموع|الإجمالي|tổng|tổng cộng|jumlah',
].join('|');
const IDEOGRAPHS = /[合总總総小共]\s*[计計]|[总總]和|合算|平均|합\s*계|총\s*계|소\s*계|총합/u;
const SOMEWHERE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${WORDS})(?![\\p{L}])`, 'iu');
const WHOLE = new RegExp(`^[\\p{P}\\p{S}\\s]*(?:${WORDS})[\\p{P}\\p{S}\\s]*$`, 'iu');

export function namesTotal(text: string): boolean {
  return SOMEWHERE.test(text) || IDEOGRAPHS.test(text);
}

export function isTotalWord(text: string): boolean {
  return WHOLE.test(text) || new RegExp(`^\\s*(?:${IDEOGRAPHS.source})\\s*$`, 'u').test(text);
}
