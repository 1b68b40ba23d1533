/** A rule that gives one day of each year. `from` is the first year that has it. */
export type Rule =
  | { readonly month: number; readonly day: number; readonly from?: number }
  /** The first such weekday (0 for Monday) of a month, not before a day of it. */
  | { readonly month: number; readonly weekday: number; readonly earliest: number; readonly from?: number }
  /** Days after Easter Sunday. */
  | { readonly easter: number; readonly from?: number };

const on = (month: number, day: number, from = 0): Rule => ({ month, day, from });
const easter = (days: number): Rule => ({ easter: days });
const mondayFrom = (month: number, earliest: number, from = 0): Rule => ({ month, weekday: 0, earliest, from });
const FIRST = 1;
const SECOND = 8;
const THIRD = 15;
/** Of a month of 31 days. */
const LAST = 25;

const NEW_YEAR = on(1, 1);
const GOOD_FRIDAY = easter(-2);
const EASTER_MONDAY = easter(1);
const ASCENSION = easter(39);
const WHIT_MONDAY = easter(50);
const LABOUR_DAY = on(5, 1);
const CHRISTMAS = on(12, 25);
const BOXING_DAY = on(12, 26);
const WESTERN = [NEW_YEAR, GOOD_FRIDAY, CHRISTMAS];
const EUROPE = [...WESTERN, EASTER_MONDAY, LABOUR_DAY, BOXING_DAY];
const THANKSGIVING: Rule = { month: 11, weekday: 3, earliest: 22 };
const FEDERAL = [
  NEW_YEAR,
  CHRISTMAS,
  mondayFrom(1, THIRD, 1998),
  mondayFrom(2, THIRD),
  mondayFrom(5, LAST),
  on(6, 19, 2022),
  on(7, 4),
  mondayFrom(9, FIRST),
  THANKSGIVING,
];
const BANKS = [mondayFrom(10, SECOND), on(11, 11)];

/**
 * Days on which well-known markets and offices are closed every year, by the calendars that they publish. For series that
 * are too short to show which days come back; a longer one shows the days of any market by itself.
 */
export const MARKETS: Readonly<Record<string, readonly Rule[]>> = {
  'New York Stock Exchange': [...FEDERAL, GOOD_FRIDAY],
  'United States, bonds': [...FEDERAL, ...BANKS, GOOD_FRIDAY],
  'United States, banks': [...FEDERAL, ...BANKS],
  'Toronto Stock Exchange': [
    ...WESTERN,
    mondayFrom(2, THIRD),
    mondayFrom(5, 18),
    on(7, 1),
    mondayFrom(8, FIRST),
    mondayFrom(9, FIRST),
    mondayFrom(10, SECOND),
    BOXING_DAY,
  ],
  'Euro area (TARGET), Euronext': EUROPE,
  Xetra: [...EUROPE, on(12, 24), on(12, 31)],
  'Germany, offices': [...EUROPE, ASCENSION, WHIT_MONDAY, on(10, 3)],
  'France, offices': [
    NEW_YEAR,
    EASTER_MONDAY,
    LABOUR_DAY,
    on(5, 8),
    ASCENSION,
    WHIT_MONDAY,
    on(7, 14),
    on(8, 15),
    on(11, 1),
    on(11, 11),
    CHRISTMAS,
  ],
  'Italy, offices': [
    NEW_YEAR,
    on(1, 6),
    EASTER_MONDAY,
    on(4, 25),
    LABOUR_DAY,
    on(6, 2),
    on(8, 15),
    on(11, 1),
    on(12, 8),
    CHRISTMAS,
    BOXING_DAY,
  ],
  'Spain, offices': [...WESTERN, on(1, 6), LABOUR_DAY, on(8, 15), on(10, 12), on(11, 1), on(12, 6), on(12, 8)],
  'London Stock Exchange': [
    ...WESTERN,
    EASTER_MONDAY,
    mondayFrom(5, FIRST),
    mondayFrom(5, LAST),
    mondayFrom(8, LAST),
    BOXING_DAY,
  ],
  'SIX Swiss Exchange': [...EUROPE, on(1, 2), ASCENSION, WHIT_MONDAY, on(8, 1)],
  'Nasdaq Stockholm': [
    ...EUROPE,
    on(1, 6),
    ASCENSION,
    on(6, 6),
    { month: 6, weekday: 4, earliest: 19 },
    on(12, 24),
    on(12, 31),
  ],
  'Oslo Børs': [...EUROPE, easter(-3), ASCENSION, WHIT_MONDAY, on(5, 17), on(12, 24), on(12, 31)],
  'Australian Securities Exchange': [
    ...WESTERN,
    on(1, 26),
    EASTER_MONDAY,
    on(4, 25),
    mondayFrom(6, SECOND),
    BOXING_DAY,
  ],
  'Tokyo Stock Exchange': [
    NEW_YEAR,
    on(1, 2),
    on(1, 3),
    mondayFrom(1, SECOND),
    on(2, 11),
    on(2, 23, 2020),
    on(3, 20),
    on(4, 29),
    on(5, 3),
    on(5, 4),
    on(5, 5),
    mondayFrom(7, THIRD),
    on(8, 11, 2016),
    mondayFrom(9, THIRD),
    on(9, 23),
    mondayFrom(10, SECOND),
    on(11, 3),
    on(11, 23),
    on(12, 31),
  ],
  'B3 (Brazil)': [
    ...WESTERN,
    easter(-48),
    easter(-47),
    easter(60),
    on(4, 21),
    LABOUR_DAY,
    on(9, 7),
    on(10, 12),
    on(11, 2),
    on(11, 15),
  ],
};
