export const WORKBOOK = /\.(?:xlsx|xlsm)$/i;
const PARQUET = /\.parquet$/i;

export const isBinary = (fileName: string): boolean => WORKBOOK.test(fileName) || PARQUET.test(fileName);
