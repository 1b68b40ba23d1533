/** The endings of files that series come with. */
export const SERIES_ENDINGS = ['csv', 'tsv', 'txt', 'json', 'jsonl', 'ndjson', 'xlsx', 'xlsm', 'parquet'] as const;

/** A name that ends with one of them. */
export const SERIES_FILE = new RegExp(`\\.(?:${SERIES_ENDINGS.join('|')})$`, 'i');
