/** What processes take, as Linux tells it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const TICKS = 100;

/** The fields of a process after its name; those of its times are in ticks. */
const fieldsOf = (pid: number): string[] => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');

/** Processor time so far, in seconds. `withEnded`: and that of its children that have ended. */
export function processorSeconds(pid: number, withEnded = false): number {
  const fields = fieldsOf(pid).slice(11, withEnded ? 15 : 13);
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** Most memory that it has had at a time, in MB. */
export const mostMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;

/** Processor time of a PostgreSQL with all of its connections, in seconds. */
export function postgresSeconds(folder: string): number {
  const postmaster = Number(readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  let sum = processorSeconds(postmaster, true);
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (Number(fieldsOf(Number(name))[1]) === postmaster) sum += processorSeconds(Number(name));
    } catch {
      // it has ended meanwhile
    }
  }
  return sum;
}
