/**
 * The kernel's WebAssembly module, assembled here instruction by instruction, so that it needs no compiler and no binary
 * file. Opcodes: WebAssembly core specification 2.0, "Binary Format", with fixed-width SIMD. No relaxed instruction is
 * used, so that every machine gives the same numbers.
 */
type Code = readonly number[];

const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
const signed = (value: number): number[] => {
  const low = value & 0x7f;
  const rest = value >> 7;
  const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return done ? [low] : [low | 0x80, ...signed(rest)];
};
const float = (value: number): number[] => [...new Uint8Array(Float32Array.of(value).buffer)];
const vector = (items: readonly Code[]): number[] => [...unsigned(items.length), ...items.flat()];
const text = (value: string): number[] => [...unsigned(value.length), ...new TextEncoder().encode(value)];
const section = (id: number, body: Code): number[] => [id, ...unsigned(body.length), ...body];

const i32Type = 0x7f;
const v128Type = 0x7b;
const none = 0x40;

const get = (local: number): Code => [0x20, ...unsigned(local)];
const set = (local: number, ...value: Code[]): Code => [...value.flat(), 0x21, ...unsigned(local)];
const number = (value: number): Code => [0x41, ...signed(value)];
const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
const times = (a: Code, b: Code): Code => [...a, ...b, 0x6c];
const less = (a: Code, b: Code): Code => [...a, ...b, 0x48];
const notGreater = (a: Code, b: Code): Code => [...a, ...b, 0x4c];
const advance = (local: number, by: Code): Code => set(local, add(get(local), by));
const simd = (opcode: number, ...operands: Code[]): Code => [...operands.flat(), 0xfd, ...unsigned(opcode)];
const memoryAccess = (opcode: number, address: Code, offset: number): Code => [
  ...simd(opcode, address),
  2,
  ...unsigned(offset),
];
const load = (address: Code, offset = 0): Code => memoryAccess(0x00, address, offset);
const loadSplat = (address: Code): Code => memoryAccess(0x09, address, 0);
const store = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  0xfd,
  0x0b,
  2,
  ...unsigned(offset),
];
const splat = (value: number): Code => simd(0x13, [0x43, ...float(value)]);
const splatInteger = (value: number): Code => simd(0x11, number(value));
const plus = (a: Code, b: Code): Code => simd(0xe4, a, b);
const minus = (a: Code, b: Code): Code => simd(0xe5, a, b);
const product = (a: Code, b: Code): Code => simd(0xe6, a, b);
const quotient = (a: Code, b: Code): Code => simd(0xe7, a, b);
const smaller = (a: Code, b: Code): Code => simd(0xe8, a, b);
const larger = (a: Code, b: Code): Code => simd(0xe9, a, b);

/** Repeats `body` while `condition` holds. */
const loop = (condition: Code, body: readonly Code[]): Code => [
  0x02,
  none,
  0x03,
  none,
  ...condition,
  0x45,
  0x0d,
  1,
  ...body.flat(),
  0x0c,
  0,
  0x0b,
  0x0b,
];
const when = (condition: Code, body: readonly Code[]): Code => [...condition, 0x04, none, ...body.flat(), 0x0b];

/** A tile of 4 rows and 8 columns stays in registers while the inner index runs; rows left over go one by one. */
function multiplyBody(): Code {
  const [a, rowStride, innerStride, b, c, rows, width, inner, accumulate] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [row, column, count, source, target] = [9, 10, 11, 12, 13];
  const pointers = [14, 15, 16, 17];
  const sums = [18, 19, 20, 21, 22, 23, 24, 25];
  const [left, first, second] = [26, 27, 28];
  const tile = (height: number): Code[] => {
    const used = pointers.slice(0, height);
    return [
      ...used.map((pointer, r) =>
        set(pointer, r === 0 ? add(get(a), times(get(row), get(rowStride))) : add(get(used[r - 1]), get(rowStride))),
      ),
      ...sums.slice(0, 2 * height).map((sum) => set(sum, splat(0))),
      set(source, add(get(b), get(column))),
      set(count, number(0)),
      loop(less(get(count), get(inner)), [
        set(first, load(get(source))),
        set(second, load(get(source), 16)),
        ...used.flatMap((pointer, r) => [
          set(left, loadSplat(get(pointer))),
          set(sums[2 * r], plus(get(sums[2 * r]), product(get(left), get(first)))),
          set(sums[2 * r + 1], plus(get(sums[2 * r + 1]), product(get(left), get(second)))),
          advance(pointer, get(innerStride)),
        ]),
        advance(source, get(width)),
        advance(count, number(1)),
      ]),
      set(target, add(add(get(c), times(get(row), get(width))), get(column))),
      ...used.flatMap((_, r) => [
        when(get(accumulate), [
          set(sums[2 * r], plus(get(sums[2 * r]), load(get(target)))),
          set(sums[2 * r + 1], plus(get(sums[2 * r + 1]), load(get(target), 16))),
        ]),
        store(get(target), get(sums[2 * r])),
        store(get(target), get(sums[2 * r + 1]), 16),
        advance(target, get(width)),
      ]),
      advance(row, number(height)),
    ];
  };
  return [
    set(column, number(0)),
    loop(less(get(column), get(width)), [
      set(row, number(0)),
      loop(notGreater(add(get(row), number(4)), get(rows)), tile(4)),
      loop(less(get(row), get(rows)), tile(1)),
      advance(column, number(32)),
    ]),
  ].flat();
}

/** 2^f for f in [0, 1): a minimax polynomial with a relative error of about 1e-7. */
const powerOfTwo = [1.8775767e-3, 8.9893397e-3, 5.5826318e-2, 2.4015361e-1, 6.9315308e-1, 0.99999994];

function siluBody(): Code {
  const [z, bias, slope, y, rows, width] = [0, 1, 2, 3, 4, 5];
  const [row, column] = [6, 7];
  const [value, exponent, whole, sigmoid] = [8, 9, 10, 11];
  const power = powerOfTwo
    .slice(1)
    .reduce((sum: Code, term) => plus(product(sum, get(exponent)), splat(term)), splat(powerOfTwo[0]));
  const at = (base: number): Code => add(get(base), get(column));
  return [
    set(row, number(0)),
    loop(less(get(row), get(rows)), [
      set(column, number(0)),
      loop(less(get(column), get(width)), [
        set(value, plus(load(at(z)), load(at(bias)))),
        // exp(-value) as a power of two, its whole part straight into the exponent bits
        set(exponent, product(smaller(larger(get(value), splat(-87)), splat(87)), splat(-Math.LOG2E))),
        set(whole, simd(0x68, get(exponent))),
        set(exponent, minus(get(exponent), get(whole))),
        set(
          sigmoid,
          quotient(
            splat(1),
            plus(
              splat(1),
              product(power, simd(0xab, simd(0xae, simd(0xf8, get(whole)), splatInteger(127)), number(23))),
            ),
          ),
        ),
        store(at(y), product(get(value), get(sigmoid))),
        store(at(slope), product(get(sigmoid), plus(splat(1), product(get(value), minus(splat(1), get(sigmoid)))))),
        advance(column, number(16)),
      ]),
      ...[z, slope, y].map((base) => advance(base, get(width))),
      advance(row, number(1)),
    ]),
  ].flat();
}

function code(integers: number, vectors: number, body: Code): number[] {
  const locals = vector([
    [...unsigned(integers), i32Type],
    [...unsigned(vectors), v128Type],
  ]);
  const whole = [...locals, ...body, 0x0b];
  return [...unsigned(whole.length), ...whole];
}

const signature = (count: number): number[] => [0x60, ...vector(new Array<Code>(count).fill([i32Type])), 0];

let assembled: Uint8Array<ArrayBuffer> | undefined;

/** The module's bytes; it imports `env.memory` and exports `multiply` and `silu`, with addresses and widths in bytes. */
export function simdModule(): Uint8Array<ArrayBuffer> {
  assembled ??= Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector([signature(9), signature(6)])),
    ...section(2, vector([[...text('env'), ...text('memory'), 0x02, 0x00, 0x00]])),
    ...section(3, vector([[0], [1]])),
    ...section(
      7,
      vector([
        [...text('multiply'), 0x00, 0x00],
        [...text('silu'), 0x00, 0x01],
      ]),
    ),
    ...section(10, vector([code(9, 11, multiplyBody()), code(2, 4, siluBody())])),
  ]);
  return assembled;
}
