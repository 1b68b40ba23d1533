import { HOUR } from './civil.ts';
import { findZone } from './zone.ts';

/** Zones whose clocks change, one for each rule that is or was in wide use. */
const CHANGING = [
  ...['Berlin', 'London', 'Athens', 'Moscow'].map((city) => `Europe/${city}`),
  ...['New_York', 'Chicago', 'Denver', 'Los_Angeles', 'Sao_Paulo', 'Santiago', 'Mexico_City'].map(
    (city) => `America/${city}`,
  ),
  ...['Australia/Sydney', 'Australia/Adelaide', 'Pacific/Auckland', 'Asia/Jerusalem', 'Asia/Tehran', 'Africa/Cairo'],
];

/** A city whose clocks skip what is between two times of local time or, of twice the same time, show it twice. */
export function clockChange(from: number, to: number): string | undefined {
  for (const name of CHANGING) {
    const zone = findZone(name);
    if (!zone) continue;
    if (from === to) {
      const first = zone.fromWall(from);
      if ([HOUR / 2, HOUR].some((late) => zone.toWall(first + late) === from)) return cityOf(name);
      continue;
    }
    // the clock jumps from the last time on (or soon after it) to one that is not after the next row
    const passed = zone.fromWall(to) - zone.fromWall(from);
    if (passed > 0 && passed < to - from) return cityOf(name);
  }
  return undefined;
}

const cityOf = (zone: string) => zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ');
