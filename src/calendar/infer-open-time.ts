import { DAY, MINUTE, SECOND } from './civil.ts';
import { joined, MONDAY, type OpenTime } from './open-time.ts';

/** Weekdays and hours must be seen so often without a row to be closed; a weekend needs to be seen once. */
const CYCLES = 3;
/** Closed time may have a row in one of ten weeks: German law lets a shop open on four Sundays a year. */
const MOST_EXCEPTIONS = 0.1;
/** Share of rows that may lie in closed time at most. */
const MOST_OUTSIDE = 0.03;
const LEAST_FILLED = 0.5;
/** Less than half an hour a week is no closed time, and need not be looked for in series without gaps. */
const LEAST_OPEN = 1 - 0.5 / 168;
/** To be missing by chance as often as it is missing must be this improbable for a time that is closed. */
const BY_CHANCE = 0.01;

/** In how many days a step of the day was seen with a row, and how often it passed. */
interface Tally {
  readonly filled: number;
  readonly seen: number;
}

/**
 * Open time, inferred from the data: weekdays and hours that never have a row, or so rarely that it is an exception, over
 * enough cycles and more reliably than by chance. A weekday that was not seen yet is as the others.
 * @param wall distinct instants on the clock of the wall, rising @param step in milliseconds
 */
export function inferOpenTime(wall: Float64Array, step: number): OpenTime | undefined {
  if (!(step >= SECOND && step <= DAY && DAY % step === 0) || wall.length < 2) return undefined;
  const cells = (wall.at(-1)! - wall[0]!) / step + 1;
  if (cells < (CYCLES * DAY) / step || wall.length > cells * LEAST_OPEN) return undefined;
  const grain = grainOf(step);
  const perDay = DAY / grain;
  const phase = phaseOf(wall, step);
  // a clock may be half a step early, and a row of a day may stand anywhere in it
  const weeks = countWeek(wall, grain, step === DAY ? 0 : phase - step / 2);
  const openDays = openWeekdays(weeks);
  if (!openDays) return undefined;
  const mask = openHours(weeks, openDays, perDay);
  if (mask.every(Boolean) || !isPlausible(weeks, mask)) return undefined;
  return joined(mask.flatMap((isOpen, slot) => (isOpen ? [[slot * grain + phase, (slot + 1) * grain + phase]] : [])));
}

/** Opening hours are precise to the minute: the fewest steps that span at least a minute and divide a day. */
function grainOf(step: number): number {
  let grain = Math.ceil(MINUTE / step) * step;
  while (DAY % grain !== 0) grain += step;
  return grain;
}

function phaseOf(wall: Float64Array, step: number): number {
  if (step === DAY) return 0;
  const inStep = (time: number) => time - Math.floor(time / step) * step;
  let off = 0;
  for (const time of wall) {
    const late = inStep(time);
    if (Math.min(late, step - late) > 0.3 * step) off++;
  }
  return off * 2 > wall.length ? inStep(wall[0]!) : 0;
}

type Week = ReturnType<typeof countWeek>;

/** The steps of a week, Monday first, and its days. @param grain of a step of the mask @param since when it begins in it */
function countWeek(wall: Float64Array, grain: number, since: number) {
  const perDay = DAY / grain;
  const perWeek = 7 * perDay;
  const filled = new Uint32Array(perWeek);
  const recent = new Uint8Array(perWeek);
  const present = new Uint32Array(7);
  const numberOf = (time: number) => Math.floor((time - MONDAY - since) / grain);
  const place = (number: number, length: number) => ((number % length) + length) % length;
  const [first, last] = [numberOf(wall[0]!), numberOf(wall.at(-1)!)];
  let [previous, day] = [first - 1, NaN];
  for (const time of wall) {
    const number = numberOf(time);
    if (number === previous) continue;
    previous = number;
    const slot = place(number, perWeek);
    filled[slot]!++;
    if (number > last - CYCLES * perWeek) recent[slot]!++;
    const today = Math.floor(number / perDay);
    if (today !== day) present[place(today, 7)]!++;
    day = today;
  }
  const seen = (slot: number, from: number, to: number, length: number) =>
    Math.floor((to - slot) / length) - Math.ceil((from - slot) / length) + 1;
  const [firstDay, lastDay] = [Math.floor(first / perDay), Math.floor(last / perDay)];
  return {
    steps: Array.from(filled, (count, slot) => ({ filled: count, seen: seen(slot, first, last, perWeek) })),
    days: Array.from(present, (count, weekday) => ({ filled: count, seen: seen(weekday, firstDay, lastDay, 7) })),
    /** Whether it had rows in most of its last three weeks, by step. */
    isRecent: Array.from(recent, (count) => count >= 2),
    /** Days with a row, by weekday: how often its hours can have been seen. */
    present: Array.from(present),
  };
}

const isRare = ({ filled, seen }: Tally) => filled <= seen * MOST_EXCEPTIONS;

const isOften = ({ filled, seen }: Tally) => filled >= seen * LEAST_FILLED;

const NONE: Tally = { filled: 0, seen: 0 };

const sumOf = (tallies: readonly Tally[]): Tally =>
  tallies.reduce((sum, each) => ({ filled: sum.filled + each.filled, seen: sum.seen + each.seen }), NONE);

/** How probable it is that a step of which a share has rows is filled as rarely as seen. */
function chanceOf({ filled, seen }: Tally, usual: Tally): number {
  const share = (usual.filled + 0.5) / (usual.seen + 1);
  let term = (1 - share) ** seen;
  let chance = term;
  for (let rows = 1; rows <= filled; rows++) {
    term *= ((seen - rows + 1) / rows) * (share / (1 - share));
    chance += term;
  }
  return chance;
}

const SATURDAY = 5;
function openWeekdays({ days, isRecent, steps }: Week): boolean[] | undefined {
  const perDay = steps.length / 7;
  const isLate = (weekday: number) => isRecent.slice(weekday * perDay, (weekday + 1) * perDay).some(Boolean);
  const isQuiet = days.map((day, weekday) => day.seen > 0 && isRare(day) && !isLate(weekday));
  const usual = sumOf(days.filter((_, weekday) => !isQuiet[weekday]));
  if (usual.filled < usual.seen * LEAST_FILLED) return undefined;
  // everybody knows weekends: one without any row is enough where both of its days are
  const weekend = days.slice(SATURDAY);
  const isWeekend = isQuiet.every((quiet, weekday) => quiet === (days[weekday]!.seen > 0 && weekday >= SATURDAY));
  const isBare = weekend.every(({ seen, filled }) => seen > 0 && filled === 0);
  if (isWeekend && isBare && chanceOf(sumOf(weekend), usual) < BY_CHANCE)
    return days.map((_, weekday) => weekday < SATURDAY);
  return days.map((day, weekday) => !(isQuiet[weekday] && day.seen >= CYCLES && chanceOf(day, usual) < BY_CHANCE / 7));
}

/** The steps of the week that are open: the hours of all open days, and where a weekday shows others, its own. */
function openHours({ steps, isRecent, present }: Week, openDays: readonly boolean[], perDay: number): boolean[] {
  const mask = steps.map((_, slot) => openDays[Math.floor(slot / perDay)]!);
  if (perDay === 1) return mask;
  const weekdays = openDays.flatMap((isOpen, weekday) => (isOpen && present[weekday]! > 0 ? [weekday] : []));
  const ownOf = (weekday: number, hour: number): Tally => ({
    filled: steps[weekday * perDay + hour]!.filled,
    seen: present[weekday]!,
  });
  const daily = Array.from({ length: perDay }, (_, hour) => sumOf(weekdays.map((weekday) => ownOf(weekday, hour))));
  const usual = sumOf(daily.filter((hour) => !isRare(hour)));
  for (let hour = 0; hour < perDay; hour++) {
    const all = daily[hour]!;
    const isClosed = isRare(all) && all.seen > CYCLES && chanceOf(all, usual) < BY_CHANCE / perDay;
    const known = weekdays.map((weekday) => ownOf(weekday, hour)).filter(({ seen }) => seen >= CYCLES);
    // an hour that each weekday always or never has is inferred by weekday; one that occurs now and then is not
    const isSharp = known.some(isOften) && known.every((own) => isRare(own) || isOften(own));
    for (let weekday = 0; weekday < 7; weekday++) {
      const slot = weekday * perDay + hour;
      if (!mask[slot]) continue;
      const own = ownOf(weekday, hour);
      const isSeen = own.seen >= CYCLES;
      if (isClosed) mask[slot] = (isSeen && isOften(own)) || isRecent[slot]!;
      else if (isSeen && isRare(own) && !isRecent[slot]) {
        mask[slot] = chanceOf(own, isSharp ? usual : all) >= BY_CHANCE / mask.length;
      }
    }
  }
  return mask;
}

function isPlausible({ steps }: Week, mask: readonly boolean[]): boolean {
  const inside = sumOf(steps.filter((_, slot) => mask[slot]));
  const outside = sumOf(steps.filter((_, slot) => !mask[slot])).filled;
  return inside.filled >= inside.seen * LEAST_FILLED && outside <= (inside.filled + outside) * MOST_OUTSIDE;
}
