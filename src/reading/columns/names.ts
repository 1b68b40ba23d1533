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

/** The zone of a clock, as in `Timestamp (UTC)`, which is no part of its name. */
const ZONE = / ?\((?:[A-Z]{3,5}(?:[/+-][\w:]*)?|local(?: time)?)\)$/;
const isCalled = (pattern: RegExp) => (name: string) => pattern.test(name.trim().replace(ZONE, ''));

export const isTimeName = isCalled(
  /^(?:ds|dt|t|ts|date|datum|data|fecha|dato|dátum|time|timestamp|date_?time|day|dia|día|tag|month|monat|mois|mes|mês|week|woche|semaine|quarter|quartal|year|jahr|année|annee|anno|año|ano|yr|period|periode|période|periodo|time_?period|zeit|zeitstempel|zeitpunkt|zeitraum|uhrzeit|hour|stunde|epoch|unix_?time|mtu|_time|yyyy_?(?:mm(?:_?dd)?|ddd)|日付|日期|时间|年月|年)$/iu,
);

export const isTimeWord = isCalled(
  /(?:^|[^a-z])(?:date|datum|fecha|time|timestamp|day|month|week|year|hour|period|utc|zeit|created|updated)(?:[^a-z]|$)|(?:date|time|timestamp|datum)$/i,
);

export const isWeekName = isCalled(/week|woche|semaine|semana|^(?:wk|kw|yw)/i);

export const isIdName = isCalled(
  /(?:^|[^a-z])(?:id|ids|uid|code|key|store|shop|outlet|item|sku|product|article|region|country|state|city|county|area|zone|series|sensor|device|meter|mpan|mprn|nmi|machine|station|site|location|category|dept|department|family|brand|name|customer|client|symbol|ticker|asset|type|group|channel|segment|entity|geo|host|tag|unit|nbr|number|no)(?:[^a-z]|$)|id$/i,
);

export const isNumberOfRow = (name: string): boolean =>
  /(?:^|[^a-z])(?:u?u?ids?|nr|no|nbr|num|number)\.?$|nummer$/i.test(name) || /[a-z]I[dD]s?$/.test(name);

export const isCodeName = (name: string): boolean =>
  isNumberOfRow(name) ||
  /(?:^|[^a-z])(?:code|sku|zip|postcode|plz|iban|phone)s?$|[a-z]Code$|ID$|[a-z]No$|record number$/i.test(name);

export const isValueName = isCalled(
  /^(?:y|values?|target|_value|obs_?value|close|adj\.? close|sales|demand|load|total|amount|quantity|qty|count|revenue|price|wert|valor|valeur)$/i,
);

export const isFactName = isCalled(
  /^(?:(?:\w+_)?(?:lat|latitude|lon|lng|long|longitude)|elevation|altitude|uom_id|scalar_id|scalar_factor|decimals?|coordinate|vector)$/i,
);

export const isPlainName = isCalled(/^(?:y|x|v|values?|target|_value|obs_?value|data|series|wert|valor)$/i);

export const isUnnamed = (name: string): boolean => /^(?:Column \d+|Unnamed: ?\d+|)$/.test(name);

export const isIndexName = isCalled(
  /^(?:(?:Column \d+)?|index|idx|row|rows?_?names?|row_?(?:id|number|num|nr|no)|unnamed: ?\d+|nr|no|#|_?id|obs|rank|instant|x|t|n|i|step|record|lfd\.? ?nr\.?)$/i,
);
