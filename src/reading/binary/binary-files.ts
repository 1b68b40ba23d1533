export const WORKBOOK = /\.(?:xlsx|xlsm)$/i;
const PARQUET = /\.parquet$/i;

/** Whether a file holds its rows in another form than as text. */
export const isBinary = (fileName: string): boolean => WORKBOOK.test(fileName) || PARQUET.test(fileName);
