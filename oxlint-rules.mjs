import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const IMPORT = /^(?:import|export)\b[^'"]*?\bfrom '(\.[^']+)'|^import '(\.[^']+)'/gm;

/** The imports of each TypeScript file below a folder, types too. */
function graphOf(folder) {
  const files = readdirSync(folder, { recursive: true }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.d\.ts$/.test(name),
  );
  const graph = new Map();
  for (const name of files) {
    const file = path.join(folder, name);
    const imports = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, alone]) =>
      path.resolve(path.dirname(file), from ?? alone),
    );
    graph.set(file, imports);
  }
  return graph;
}

/** A way along imports from one file to another, both included, or nothing. */
function way(graph, from, to) {
  const before = new Map([[from, undefined]]);
  for (const file of before.keys()) {
    if (file === to) {
      const files = [];
      for (let at = to; at !== undefined; at = before.get(at)) files.unshift(at);
      return files;
    }
    for (const next of graph.get(file) ?? []) if (!before.has(next)) before.set(next, file);
  }
  return undefined;
}

/** The sub-room of a file within src/, as `editor/views/chart`. */
const subRoomOf = (root, file) => path.relative(root, path.dirname(file)).split(path.sep).join('/');

/** Whether an import leads to another sub-room of the same room, neither of which lies in the other. */
function leadsAside(from, to) {
  const within = (inner, outer) => `${inner}/`.startsWith(`${outer}/`);
  return from.split('/')[0] === to.split('/')[0] && !within(from, to) && !within(to, from);
}

/** Which sub-rooms import which others of their room. */
function subRoomsOf(graph, root) {
  const rooms = new Map();
  for (const [file, imports] of graph) {
    const from = subRoomOf(root, file);
    const others = rooms.get(from) ?? new Set();
    for (const imported of imports) {
      const to = subRoomOf(root, imported);
      if (leadsAside(from, to)) others.add(to);
    }
    rooms.set(from, others);
  }
  return rooms;
}

let graph;
let subRooms;

/**
 * No circle of imports, not even of types: each file can be read with only those below it in mind. (The rule `import/no-cycle`
 * passes over imports of types.) The sub-rooms of a room point one way too.
 */
const noCircles = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { circle: 'A circle of imports: {{files}}', rooms: 'A circle of sub-rooms: {{rooms}}' },
  },
  create(context) {
    const root = path.join(context.cwd, 'src');
    graph ??= graphOf(root);
    subRooms ??= subRoomsOf(graph, root);
    return {
      ImportDeclaration(node) {
        const { value } = node.source;
        if (!value.startsWith('.')) return;
        const imported = path.resolve(path.dirname(context.filename), value);
        const [from, to] = [subRoomOf(root, context.filename), subRoomOf(root, imported)];
        const around = leadsAside(from, to) ? way(subRooms, to, from) : undefined;
        if (around) context.report({ node, messageId: 'rooms', data: { rooms: [from, ...around].join(' → ') } });
        const back = way(graph, imported, context.filename);
        if (!back) return;
        const files = [context.filename, ...back].map((file) => path.relative(root, file)).join(' → ');
        context.report({ node, messageId: 'circle', data: { files } });
      },
    };
  },
};
/** `no-restricted-imports` with patterns that look ahead, which oxlint's own rule passes over without a word. */
const imports = {
  meta: { type: 'problem', schema: [{ type: 'array' }], messages: { forbidden: '{{message}}' } },
  create(context) {
    const patterns = context.options[0].map(({ regex, message }) => ({ pattern: new RegExp(regex, 'u'), message }));
    const check = (node) => {
      for (const { pattern, message } of patterns)
        if (node.source && pattern.test(node.source.value))
          context.report({ node, messageId: 'forbidden', data: { message } });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
    };
  },
};

/** Notifications go through ui/say.ts, which keeps texts from becoming links. */
const notifications = {
  meta: { type: 'problem', schema: [], messages: { around: 'Notifications go through ui/say.ts.' } },
  create: (context) => ({
    MemberExpression(node) {
      if (!/^show(Error|Warning|Information)Message$/.test(node.property.name)) return;
      if (!context.filename.endsWith(path.join('ui', 'say.ts'))) context.report({ node, messageId: 'around' });
    },
  }),
};

export default { meta: { name: 'house' }, rules: { imports, 'no-circles': noCircles, notifications } };
