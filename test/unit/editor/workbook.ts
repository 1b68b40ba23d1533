import writeWorkbook from 'write-excel-file/universal';

const cell = (value: unknown) => {
  if (value instanceof Date) return { value, type: Date, format: 'yyyy-mm-dd' };
  return typeof value === 'number' ? { value, type: Number } : { value: String(value), type: String };
};

/** The bytes of an Excel workbook: the rows of its sheets, by their names. */
export async function workbookOf(sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>): Promise<Buffer> {
  const written = Object.entries(sheets).map(([sheet, rows]) => ({ sheet, data: rows.map((row) => row.map(cell)) }));
  const blob = await writeWorkbook(written as Parameters<typeof writeWorkbook>[0]).toBlob();
  return Buffer.from(await blob.arrayBuffer());
}

/** A sheet of monthly values from January 2015. */
export const sheetOf = (count: number, name: string, value: (month: number) => number): unknown[][] => [
  ['month', name],
  ...Array.from({ length: count }, (_, month) => [new Date(Date.UTC(2015, month, 1)), value(month)]),
];
