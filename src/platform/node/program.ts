import { uptime } from 'node:os';

/** When this machine was started, in seconds; clocks that are put right move it a little. */
const bootOf = (): number => Math.round(Date.now() / 1000 - uptime());
const SAME_BOOT = 300;

export const newOwner = (): string => `${process.pid} ${bootOf()} ${crypto.randomUUID()}`;

/** Whether a program is seen to have died: it is not there any more, and its machine was not started anew since. */
export function hasDied(owner: string): boolean {
  const [, pid, boot] = /^(\d+) (\d+) /.exec(owner) ?? [];
  if (pid === undefined || Math.abs(Number(boot) - bootOf()) > SAME_BOOT) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
