import type { Command } from 'commander';
import * as z from 'zod/mini';
import { checkService, verdictOf } from '../../client/check.ts';
import { ServiceClient } from '../../client/client.ts';
import { printable } from '../../contract/texts.ts';
import { baseUrl, command, flag, type Read, text } from '../program.ts';

const OPTIONS = {
  create: flag('create a small prediction'),
  model: text('<id>', 'model of that prediction, if the service requires one'),
  json: flag('print the report as JSON on the last line'),
};

export const checkCommand = (): Command =>
  command('check', 'Tests a service and reports what works.', OPTIONS, (options, self) =>
    check(self.processedArgs[0] as URL, options),
  ).argument('<base url>', 'base URL of the service; its token is read from FORECASTS_TOKEN', baseUrl);

const Ready = z.looseObject({ row_security: z.optional(z.boolean()) });
const UNLOCKED =
  '\nIts PostgreSQL role bypasses row-level security, so only its queries keep tenants apart (see deploy/README.md).';

/** Whether a service on PostgreSQL says that the database does not keep tenants apart; others say nothing of the kind. */
async function isUnlocked(baseUrl: URL): Promise<boolean> {
  const address = `${baseUrl.href.replace(/\/?$/, '/')}health/ready`;
  const read = async (): Promise<unknown> => (await fetch(address, { signal: AbortSignal.timeout(5_000) })).json();
  return Ready.safeParse(await read().catch(() => undefined)).data?.row_security === false;
}

async function check(baseUrl: URL, { create, model, json }: Read<typeof OPTIONS>): Promise<void> {
  const token = process.env.FORECASTS_TOKEN?.trim();
  const client = new ServiceClient({ baseUrl, fetch, token: () => Promise.resolve(token), isAsync: true });
  const say = (text: string) => {
    (json ? console.error : console.log)(printable(text));
  };
  say(`Service ${baseUrl.href}\n`);
  const report = await checkService(client, { create: create === true, model, onProgress: say });
  if (await isUnlocked(baseUrl)) say(UNLOCKED);
  const hint = create || !report.usable ? '' : '\nUse --create to test with a small prediction.';
  if (json) console.log(printable(JSON.stringify(report)));
  else say(`\n${verdictOf(report).join('\n')}${hint}`);
  process.exitCode = report.usable ? 0 : 1;
}
