import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/client/errors.ts';
import { Cancelled } from '../../../../src/editor/ui/say.ts';
import {
  alone,
  askText,
  Back,
  pickAny,
  pickMany,
  pickOne,
  runSteps,
  type Step,
} from '../../../../src/editor/ui/steps.ts';
import { Person } from '../workbench/person.ts';
import { now } from '../workbench/vscode.ts';
import { Window } from '../workbench/window.ts';

interface Answers {
  readonly colour?: string;
  readonly shades?: readonly string[];
  readonly count?: string;
}

const items = [{ label: 'red' }, { label: 'green' }, { label: 'blue' }];

describe('multi-step inputs', () => {
  beforeEach(() => {
    now.window = new Window();
  });
  afterEach(() => {
    now.window.person.verify();
  });
  const person = () => now.window.person;

  const colour: Step<Answers> = async (_state, place, before) => {
    const picked = ({ label }: { readonly label: string }) => label === before.colour;
    return { colour: (await pickOne({ place, placeholder: 'Colour?', items, picked })).label };
  };
  const silent: Step<Answers> = () => Promise.resolve({ shades: [] });
  const count: Step<Answers> = async (_state, place, before) => ({
    count: await askText({
      place,
      prompt: 'How many?',
      value: before.count ?? '',
      check: (text) => (/^\d+$/.test(text) ? undefined : 'A number.'),
    }),
  });

  it('ask in turn and show their position', async () => {
    person().picks('green').types('12');
    assert.deepEqual(await runSteps<Answers>('Paint', {}, [colour, count]), { colour: 'green', count: '12' });
    assert.deepEqual(person().asked, ['Paint 1/2', 'Paint 2/2']);
  });

  it('go back over steps that asked nothing', async () => {
    person().picks('green').goesBack().picks('red').types('3');
    assert.deepEqual(await runSteps<Answers>('Paint', {}, [colour, silent, count]), {
      colour: 'red',
      shades: [],
      count: '3',
    });
    assert.equal(person().asked.length, 4);
  });

  it('start with the previous answers', async () => {
    const begun: (string | undefined)[] = [];
    const noting: Step<Answers> = async (state, place, before) => {
      begun.push(before.count);
      return count(state, place, before);
    };
    const refused = Promise.withResolvers<undefined>();
    person().picks('blue').types('7').types('8');
    let tries = 0;
    await runSteps<Answers>('Paint', {}, [colour, noting], () => {
      refused.resolve(undefined);
      return tries++ === 0 ? Promise.reject(new Back()) : Promise.resolve();
    });
    assert.deepEqual(begun, [undefined, '7']);
  });

  it('depend on previous answers', async () => {
    person().picks('green').types('1');
    await runSteps<Answers>('Paint', {}, (state) => (state.colour === 'green' ? [colour, count] : [colour]));
    person().picks('red');
    assert.deepEqual(
      await runSteps<Answers>('Paint', {}, (state) => (state.colour === 'green' ? [colour, count] : [colour])),
      { colour: 'red' },
    );
  });

  it('end on cancel, or on Back from the first', async () => {
    person().picks('green').leaves();
    await assert.rejects(runSteps<Answers>('Paint', {}, [colour, count]), Cancelled);
    const first: Step<Answers> = () => Promise.reject(new Back());
    await assert.rejects(runSteps<Answers>('Paint', {}, [first]), Back);
  });

  it('refuse invalid text', async () => {
    person().types('many').types('').types('5');
    assert.equal((await runSteps<Answers>('Paint', {}, [count])).count, '5');
  });

  it('accept several or no items if allowed', async () => {
    person().picks('red', 'blue').picks();
    const many = await pickMany({ place: alone('Paint'), placeholder: '', items });
    assert.deepEqual(
      many.map(({ label }) => label),
      ['red', 'blue'],
    );
    assert.deepEqual(await pickAny({ place: alone('Paint'), placeholder: '', items }), []);
  });

  it('make no links from text of a file or service', async () => {
    person().types('x');
    await askText({ place: alone('Paint'), prompt: '[click](command:evil)' });
    assert.doesNotMatch(person().inputs[0].text, /\]\(/);
  });

  const upTo = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `item ${index}` }));
  type Parts = AsyncGenerator<ReturnType<typeof upTo>, undefined>;
  async function* parts(size: number, until: number): Parts {
    for (let count = size; count <= until; count += size) {
      read = count;
      yield await Promise.resolve(upTo(count));
    }
  }
  let read = 0;

  it('offer all of a list that comes in parts', async () => {
    person().picks('item 5');
    const picked = pickOne({ place: alone('Paint'), placeholder: '', more: parts(2, 6) });
    assert.equal((await picked).label, 'item 5');
    assert.equal(person().offered[0].length, 2);
  });

  it('look for what is typed in all parts of a long list, of which only some are read unasked', async () => {
    person().searches('item 4999').picks('item 4999');
    const picked = pickOne({ place: alone('Paint'), placeholder: '', more: parts(100, 5000) });
    assert.equal((await picked).label, 'item 4999');
    person().picks('item 0');
    await pickOne({ place: alone('Paint'), placeholder: '', more: parts(100, 5000) });
    await new Promise((wait) => setTimeout(wait, 20));
    assert.ok(read <= 500, `${read} were read`);
  });

  it('read a list that shows little of each part only in part unasked, and say how to find the others', async () => {
    async function* hardlyAny(): Parts {
      for (read = 1; read < 1000; read++) yield await Promise.resolve(upTo(2));
    }
    const { quickPick } = person();
    const shown: { placeholder: string | undefined }[] = [];
    const noting = () => {
      const input = quickPick();
      shown.push(input);
      return input;
    };
    Object.assign(person(), { quickPick: noting });
    person().picks('item 1');
    await pickOne({ place: alone('Paint'), placeholder: 'Which?', items: upTo(1), more: hardlyAny() });
    assert.deepEqual([read, shown[0].placeholder], [5, 'Which? There may be more: type to search for them.']);
    Object.assign(person(), { quickPick });
  });

  it('send a list again only where a further part may be shown for what is typed', async () => {
    const { quickPick } = person();
    let sent = 0;
    const counting = () => {
      const input = quickPick();
      const { items: none } = input;
      let now: typeof none = none;
      const count = (items: typeof none) => {
        sent++;
        now = items;
      };
      return Object.defineProperty(input, 'items', { get: () => now, set: count });
    };
    Object.assign(person(), { quickPick: counting });
    person().searches('49*99').picks('item 4999');
    await pickOne({ place: alone('Paint'), placeholder: '', more: parts(100, 5000) });
    Object.assign(person(), { quickPick });
    assert.ok(sent < 10, `${sent} times`);
  });

  it('begin at the first item where none was chosen before', async () => {
    person().accepts();
    const chosen = await pickOne({ place: alone('Paint'), placeholder: 'Which?', items: upTo(2), picked: () => false });
    assert.equal(chosen.label, 'item 0');
  });

  it('ask their question where the first part of a list shows nothing, but a later one does', async () => {
    async function* later(): Parts {
      for (const count of [0, 0, 3]) yield await Promise.resolve(upTo(count));
    }
    person().picks('item 2');
    await pickOne({ place: alone('Paint'), placeholder: 'Which?', none: 'There are none.', more: later() });
    assert.equal(person().inputs[0].text, 'Which?');
  });

  it('read nothing more of a list after the waiting for it is cancelled', async () => {
    async function* endless(): Parts {
      for (read = 0; read < 1000; read++) {
        await new Promise((wait) => setTimeout(wait, 5));
        yield upTo(0);
      }
    }
    now.window.onProgress = ({ cancel }) => cancel();
    await assert.rejects(pickOne({ place: alone('Paint'), placeholder: 'Which?', more: endless() }), Cancelled);
    const before = read;
    await new Promise((wait) => setTimeout(wait, 60));
    assert.ok(read <= before + 1, `${read - before} more were read`);
  });

  it('say where there is nothing to choose from', async () => {
    async function* nothing(): Parts {
      yield await Promise.resolve(upTo(0));
    }
    person().leaves();
    const options = { place: alone('Paint'), placeholder: 'Which?', none: 'There are none.', more: nothing() };
    await assert.rejects(pickOne(options), Cancelled);
    assert.equal(person().inputs[0].text, 'There are none.');
  });

  it('keep the parts that were read if a further one is refused', async () => {
    async function* broken(): Parts {
      yield await Promise.reject<ReturnType<typeof upTo>>(new ServiceError('refused', 'No such page.'));
    }
    async function* brokenLater(): Parts {
      yield upTo(2);
      yield* broken();
    }
    person().picks('item 1');
    const options = { place: alone('Paint'), placeholder: '' };
    assert.equal((await pickOne({ ...options, more: brokenLater() })).label, 'item 1');
    person().picks('item 1');
    await assert.rejects(pickOne({ ...options, items: upTo(2), more: broken() }), /No such page/);
    Object.assign(now.window, { person: new Person() });
  });

  it('keep what is ticked while a further part is read', async () => {
    const later = upTo(4);
    const { promise, resolve } = Promise.withResolvers<typeof later>();
    async function* more(): Parts {
      yield await promise;
    }
    person().ticks('item 1');
    const picked = pickMany({ place: alone('Paint'), placeholder: '', items: upTo(2), more: more() });
    await new Promise((wait) => setTimeout(wait, 20));
    person().accepts();
    resolve(later);
    // the editor forgets ticks on items that are no longer in the list
    assert.equal((await picked)[0], later[1]);
  });

  it('keep the active one of several with one label while a further part is read', async () => {
    const [first, second, third] = [1, 2, 3].map((id) => ({ label: 'sales.csv', id }));
    const { promise, resolve } = Promise.withResolvers<undefined>();
    async function* more(): AsyncGenerator<(typeof first)[], undefined> {
      await promise;
      yield [{ ...first }, { ...second }, { ...third }];
    }
    const picked = pickOne({ place: alone('Paint'), placeholder: '', items: [first, second], picked: (one) => one === second, more: more() }); // prettier-ignore
    await new Promise((wait) => setTimeout(wait, 20));
    resolve(undefined);
    person().accepts();
    assert.equal((await picked).id, 2);
  });

  it('offer what is known until the list is there, and also where it cannot be read', async () => {
    const known = [{ label: 'known' }];
    async function* list(): Parts {
      yield await Promise.resolve([{ label: 'read' }]);
    }
    async function* away(): Parts {
      yield await Promise.reject<typeof known>(new ServiceError('unreachable', 'It is away.'));
    }
    person().picks('read');
    const picked = pickOne({ place: alone('Paint'), placeholder: '', items: known, more: list() });
    assert.equal((await picked).label, 'read');
    person().picks('known');
    const one = pickOne({ place: alone('Paint'), placeholder: '', items: known, more: away() });
    assert.equal((await one).label, 'known');
    person().picks('nothing');
    const none = pickOne({ place: alone('Paint'), placeholder: '', items: [], more: away() });
    await assert.rejects(none, /It is away/);
    Object.assign(now.window, { person: new Person() });
  });
});
