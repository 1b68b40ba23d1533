import type { FrameLocator } from 'playwright-core';
import { lookInAllThemes } from './axe.ts';
import { themes } from './window.ts';
import { useWorkbench } from './workbench.ts';

const wave = (at: number, period: number): number => Math.sin((2 * Math.PI * at) / period);
const iso = (day: number): string => new Date(Date.UTC(2023, 0, 2 + day)).toISOString().slice(0, 10);

/** A row for each order, some on each day but Sundays, as shops export them. */
const orders = Array.from({ length: 200 }, (_, day) =>
  day % 7 === 6
    ? []
    : Array.from({ length: 3 + ((day * 7) % 4) }, (_, order) => {
        const total = 40 + 12 * wave(day, 6) + ((day * 31 + order * 17) % 60);
        const minute = (day * 7919 + order * 104_729) % 1440;
        const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
        const country = ['DE', 'AT', 'CH'][(day + order) % 3]!;
        return `#${String(1000 + day * 8 + order)},${iso(day)} ${clock},paid,${total.toFixed(2)},EUR,${country}`;
      }),
).flat();

const DAYS = 300;
/** A row for each item and shop, a column for each day without a date, as the M5 competition has them. */
const items = ['HOBBIES_1_001', 'FOODS_2_014', 'FOODS_3_090'].flatMap((item, at) =>
  ['CA_1', 'TX_2'].map((shop, of) => {
    const sold = Array.from({ length: DAYS }, (_, day) => Math.max(0, Math.round(2 + at + 2 * wave(day + of, 7) + ((day * 13 + at) % 5) - 2))); // prettier-ignore
    return `${item}_${shop},${item},${item.slice(0, -4)},${item.split('_')[0]!},${shop},${shop.slice(0, 2)},${sold.join()}`;
  }),
);

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']; // prettier-ignore
const years = months.map((month, at) => `${month},${[0, 1, 2, 3, 4].map((year) => Math.round(500 + 20 * year + 90 * wave(at + 9, 12))).join()}`); // prettier-ignore

/** Calls of each half hour from 8 to 18 on Mondays to Fridays. */
const calls = Array.from({ length: 60 }, (_, day) =>
  day % 7 > 4
    ? []
    : Array.from({ length: 20 }, (_, slot) => {
        const clock = `${String(8 + Math.floor(slot / 2)).padStart(2, '0')}:${slot % 2 === 0 ? '00' : '30'}`;
        return `${iso(day)} ${clock},${String(Math.round(50 + 20 * wave(slot + 15, 20) + ((day * 5 + slot) % 9)))}`;
      }),
).flat();

describe('How a File Is Read', () => {
  const vscode = useWorkbench({
    name: 'file-reading',
    theme: themes.light,
    files: {
      'orders.csv': `Name,Created at,Financial Status,Total,Currency,Country\n${orders.join('\n')}\n`,
      'items.csv': `id,item_id,dept_id,cat_id,store_id,state_id,${Array.from({ length: DAYS }, (_, day) => `d_${String(day + 1)}`).join()}\n${items.join('\n')}\n`,
      'years.csv': `Month,2019,2020,2021,2022,2023\n${years.join('\n')}\n`,
      'calls.csv': `interval_start,calls\n${calls.join('\n')}\n`,
      'shops.csv': `day,north,south\n${Array.from({ length: 120 }, (_, day) => `${iso(day)},${String(100 + day)},${String(300 + ((day * 7) % 20))}`).join('\n')}\n`,
    },
  });

  async function show(file: string): Promise<FrameLocator> {
    await vscode().openFile(file);
    await vscode().palette('Forecasts: Show How a File Is Read');
    await vscode().editorTab(`Interpretation: ${file}`).waitFor();
    const page = vscode().webviewFrame();
    await page.getByRole('heading', { name: `How ${file} Is Read` }).waitFor();
    await page.locator('.reading[aria-busy=false]').waitFor();
    await page.getByRole('img').waitFor();
    return page;
  }

  for (const name of ['orders', 'items', 'years', 'calls']) {
    it(`has no axe-core finding in any theme: ${name}`, async () => {
      await show(`${name}.csv`);
      await lookInAllThemes(vscode(), `reading-${name}`);
      await vscode().setTheme(themes.light);
    });
  }

  it('draws each change at once, keeps it after a window reload, and forecasts with it', async () => {
    const page = await show('shops.csv');
    await page.getByRole('combobox', { name: 'Role of north' }).selectOption('Leave Out');
    await page.getByRole('img', { name: /^south/ }).waitFor();
    await vscode().reload();
    const again = vscode().webviewFrame();
    await again.getByRole('img', { name: /^south/ }).waitFor();
    await again.getByRole('button', { name: 'Forecast' }).click();
    await vscode().editorTab('Forecast: shops.csv').waitFor();
    await vscode().webviewFrame().getByText('south', { exact: false }).first().waitFor();
  });
});
