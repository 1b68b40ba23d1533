import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { checkService, reportText } from '../../../src/client/check.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { PLAIN, type StrictService, startStrictService } from '../../harness/strict.ts';
import { clientOf } from './client-of.ts';

describe('the check of a service', () => {
  let service: StrictService | undefined;
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });

  const check = async (create = false) => {
    const { url, token } = service!;
    const client = new ServiceClient({ baseUrl: parseBaseUrl(url), fetch, token: () => Promise.resolve(token), isAsync: true }); // prettier-ignore
    return reportText(await checkService(client, { create, model: 'chronos-small' }));
  };

  it('reports the order of the lists, the names of their parameters, and what is unknown', async () => {
    service = await startStrictService({ ...PLAIN, work: 20 });
    service.seed(30, 3);
    const text = await check(true);
    assert.match(text, /GET \/predictions .* lists 5 of 30, oldest first\n/);
    assert.match(text, /GET \/keys .* lists 2 of 2, oldest first\n|GET \/keys .* lists 2 of 2, newest first\n/);
    assert.match(text, /Pages are requested with after, their size with limit\./);
    assert.match(text, /Unknown without a description: which fields are required/);
    assert.match(text, /created prediction [\w-]+, COMPLETED/);
    assert.match(text, /Everything that was tested works\./);
  });

  it('reports nothing unknown where the description has it, and reads a second page', async () => {
    service = await startStrictService();
    service.seed(30, 3);
    const text = await check();
    assert.match(text, /lists 5 of 30, newest first\n/);
    assert.doesNotMatch(text, /Unknown without/);
    assert.ok(service.requests.some(({ url }) => /predictions\/\?cursor=[^&]+&size=5/.test(url)));
  });

  it('prints no control characters of terminals and no bidirectional marks', async () => {
    const { client } = clientOf(() => Response.json({ detail: '\u001b[2J\u0007\u202Eevil' }, { status: 400 }));
    const text = reportText(await checkService(client));
    assert.doesNotMatch(text.replaceAll('\n', ''), /\p{C}/u);
    assert.match(text, /\\u001b\[2J\\u0007\\u202eevil/);
  });
});
