import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether this system tells of a process's children. */
export const canFindHosts = existsSync('/proc/self/stat');

/** The process ids of the extension hosts of a VS Code server, one for each window. */
export function extensionHosts(server: number): number[] {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, rest] = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'latin1');
        return [{ pid: Number(name), parent: Number(rest.split(' ')[1]), command }];
      } catch {
        return []; // it has gone meanwhile
      }
    });
  const under = new Set([server]);
  for (let before = 0; before < under.size;) {
    before = under.size;
    for (const { pid, parent } of processes) if (under.has(parent)) under.add(pid);
  }
  return processes
    .filter(({ pid, command }) => under.has(pid) && command.includes('--type=extensionHost'))
    .map(({ pid }) => pid);
}
