/** Column names that mean a time by themselves, in the languages of common files. */
const TIME_NAME =
  /^(?:ds|dt|t|ts|date|datum|data|fecha|dato|dátum|time|timestamp|date_?time|day|dia|día|tag|month|monat|mois|mes|mês|week|woche|semaine|quarter|quartal|year|jahr|année|annee|anno|año|ano|yr|period|periode|période|periodo|time_?period|zeit|zeitstempel|zeitpunkt|zeitraum|uhrzeit|hour|stunde|epoch|unix_?time|mtu|_time|日付|日期|时间|年月|年)$/iu;
const TIME_WORD =
  /(?:^|[^a-z])(?:date|datum|fecha|time|timestamp|day|month|week|year|hour|period|utc|zeit)(?:[^a-z]|$)|(?:date|time|timestamp|datum)$/i;
const ID_NAME =
  /(?:^|[^a-z])(?:id|ids|uid|code|key|store|shop|outlet|item|sku|product|article|region|country|state|city|county|area|zone|series|sensor|device|meter|mpan|mprn|nmi|machine|station|site|location|category|dept|department|family|brand|name|customer|client|symbol|ticker|asset|type|group|channel|segment|entity|geo|host|tag|unit|nbr|number|no)(?:[^a-z]|$)|id$/i;
const VALUE_NAME =
  /^(?:y|values?|target|_value|obs_?value|close|adj\.? close|sales|demand|load|total|amount|quantity|qty|count|revenue|price|wert|valor|valeur)$/i;
const INDEX_NAME =
  /^(?:index|idx|row|rows?_?names?|row_?(?:id|number|num|nr|no)|unnamed: ?\d+|nr|no|#|_?id|obs|rank|instant|x|t|n|i|step|record|lfd\.? ?nr\.?)$/i;

/** Gives each name once: later ones of the same get a number, “Sales (2)”. */
export class DistinctNames {
  readonly #taken = new Set<string>();
  readonly #copies = new Map<string, number>();

  of(wanted: string): string {
    let copy = this.#copies.get(wanted) ?? 1;
    let name = copy === 1 ? wanted : `${wanted} (${copy})`;
    while (this.#taken.has(name)) name = `${wanted} (${++copy})`;
    this.#copies.set(wanted, copy + 1);
    this.#taken.add(name);
    return name;
  }
}

/** Whether a name means a time by itself, such as "Date" or "ds". */
export function isTimeName(name: string): boolean {
  return TIME_NAME.test(name.trim());
}

/** Whether a time is one of the words of a name, such as "order date" or "utc_timestamp". */
export function isTimeWord(name: string): boolean {
  return TIME_WORD.test(name);
}

/** Whether a name means weeks. */
export function isWeekName(name: string): boolean {
  return /week|woche|semaine|semana|^(?:wk|kw|yw)/i.test(name);
}

/** Whether a name sounds as if it told series apart, such as "store_nbr". */
export function isIdName(name: string): boolean {
  return ID_NAME.test(name);
}

/** Whether a name says that each row has a number of its own, such as "orderId" or "Auftragsnummer". */
export function isNumberOfRow(name: string): boolean {
  return /(?:^|[^a-z])(?:u?u?ids?|nr|no|nbr|num|number)\.?$|nummer$/i.test(name) || /[a-z]I[dD]s?$/.test(name);
}

/** Whether a name says that its numbers are codes of things. */
export function isCodeName(name: string): boolean {
  return (
    isNumberOfRow(name) ||
    /(?:^|[^a-z])(?:code|sku|zip|postcode|plz|iban|phone|id)s?$|[a-z]Code$|ID$|[a-z]No$|record number$/i.test(name)
  );
}

/** Whether a name sounds like the one number that matters. */
export function isValueName(name: string): boolean {
  return VALUE_NAME.test(name.trim());
}

/** Whether a name sounds like a fact about a series that does not change: a place, a unit, a code. */
export function isFactName(name: string): boolean {
  return /^(?:lat|latitude|lon|lng|long|longitude|elevation|altitude|uom_id|scalar_id|scalar_factor|decimals?|coordinate|vector)$/i.test(
    name.trim(),
  );
}

/** Whether a name says nothing about what was measured. */
export function isPlainName(name: string): boolean {
  return /^(?:y|x|v|values?|target|_value|obs_?value|data|series|wert|valor)$/i.test(name.trim());
}

/** Whether a name sounds like a row number; columns without a name count too. */
export function isIndexName(name: string): boolean {
  return INDEX_NAME.test(name.trim()) || isUnnamed(name);
}

/** Whether a column had no name and was called by its number. */
export function isUnnamed(name: string): boolean {
  return /^Column \d+$/.test(name) || /^Unnamed: ?\d+$/.test(name) || name === '';
}
