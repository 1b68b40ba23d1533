/** CSV text of monthly series from January 2015, a column for each. */
export function months(count: number, columns: Readonly<Record<string, (month: number) => number | string>>): string {
  const rows = Array.from({ length: count }, (_, month) => [
    new Date(Date.UTC(2015, month, 1)).toISOString().slice(0, 7),
    ...Object.values(columns).map((value) => value(month)),
  ]);
  return [['month', ...Object.keys(columns)], ...rows].map((row) => row.join(',')).join('\n');
}

export const seasonal = (month: number): number => 100 + month + Math.round(20 * Math.sin((month * Math.PI) / 6));
