/** Processes as physics, machines and markets make them; each on a latent scale, about 0 and of about unit size. */
import type { Random } from './random.ts';

/** Returns to its mean, fast or slowly (Ornstein and Uhlenbeck). @param time steps in which it forgets */
function addReverting(z: Float64Array, size: number, time: number, random: Random): void {
  const keep = Math.exp(-1 / time);
  const shock = size * Math.sqrt(1 - keep * keep);
  let state = size * random.normal();
  for (let i = 0; i < z.length; i++) {
    z[i] += state;
    state = keep * state + shock * random.normal();
  }
}

/** The same, but with a slope that is continuous (a Gaussian process with a Matérn kernel of 3/2). */
function addSmooth(z: Float64Array, size: number, time: number, random: Random): void {
  const keep = Math.exp(-1 / time);
  const path = new Float64Array(z.length);
  let inner = random.normal();
  let state = inner;
  const shock = Math.sqrt(1 - keep * keep);
  let squares = 1e-9;
  for (let i = 0; i < z.length; i++) {
    inner = keep * inner + shock * random.normal();
    state = keep * state + (1 - keep) * inner;
    path[i] = state;
    squares += (state * state) / z.length;
  }
  const factor = size / Math.max(Math.sqrt(squares), 0.1);
  for (let i = 0; i < z.length; i++) z[i] += factor * path[i];
}

/** A cycle whose height and phase drift. @param time steps in which it forgets both */
function addOscillation(z: Float64Array, size: number, period: number, time: number, random: Random): void {
  const keep = Math.exp(-1 / time);
  const shock = size * Math.sqrt(1 - keep * keep);
  const angle = (2 * Math.PI) / period;
  const [c, s] = [keep * Math.cos(angle), keep * Math.sin(angle)];
  let x = size * random.normal();
  let y = size * random.normal();
  for (let i = 0; i < z.length; i++) {
    z[i] += x;
    const turned = c * x - s * y + shock * random.normal();
    y = s * x + c * y + shock * random.normal();
    x = turned;
  }
}

/** Sums of processes of all paces: what a Gaussian process with a mixture of kernels would give, in linear time. */
export function kernelMixture(count: number, periods: readonly number[], random: Random): Float64Array {
  const z = new Float64Array(count);
  const parts = 1 + random.below(3);
  for (let k = 0; k < parts; k++) {
    const time = random.logBetween(1.5, count);
    const size = random.logBetween(0.2, 3);
    if (random.chance(0.6)) addReverting(z, size, time, random);
    else addSmooth(z, size, time, random);
  }
  if (random.chance(0.25)) {
    addOscillation(
      z,
      random.logBetween(0.3, 3),
      random.logBetween(4, count),
      random.logBetween(10, 10 * count),
      random,
    );
  }
  if (random.chance(0.6)) for (let i = 0; i < count; i++) z[i] += 0.2 * random.normal();
  for (const period of periods) {
    if (!random.chance(0.75)) continue;
    const size = random.logBetween(0.2, 4);
    for (let k = 1; k <= 1 + random.below(3); k++) {
      addOscillation(z, size / k, period / k, random.logBetween(3, 300) * period, random);
    }
  }
  return z;
}

/** A random walk in the logarithm whose pace itself wanders, as prices do. */
export function market(count: number, random: Random): Float64Array {
  const z = new Float64Array(count);
  const persistence = Math.exp(-1 / random.logBetween(5, 100));
  const wildness = random.between(0.05, 0.8);
  const drift = random.normal() * random.logBetween(0.003, 0.08);
  const reverting = random.chance(0.25) ? random.logBetween(0.001, 0.05) : 0;
  let volatility = 0;
  let level = 0;
  for (let i = 0; i < count; i++) {
    volatility = persistence * volatility + wildness * Math.sqrt(1 - persistence ** 2) * random.normal();
    level += drift - reverting * level + Math.exp(volatility) * (random.chance(0.3) ? random.heavy() : random.normal());
    z[i] = level;
  }
  return z;
}

/** What a catchment gives after rain: showers that come more often in some seasons, and stores that empty by themselves. */
export function flow(count: number, periods: readonly number[], random: Random): Float64Array {
  const z = new Float64Array(count);
  const rate = random.logBetween(0.01, 0.4);
  const year = periods.length > 0 && random.chance(0.8) ? periods[periods.length - 1] : 0;
  const seasonal = random.between(0.2, 1);
  const phase = random.between(0, 2 * Math.PI);
  const wild = random.between(0.4, 1.4);
  const [quick, slow] = [Math.exp(-1 / random.logBetween(0.5, 8)), Math.exp(-1 / random.logBetween(8, 150))];
  const share = random.between(0.05, 0.7);
  const ground = random.logBetween(0.01, 1);
  let first = 0;
  let second = ground;
  for (let i = 0; i < count; i++) {
    const wet = year > 0 ? 1 + seasonal * Math.sin((2 * Math.PI * i) / year + phase) : 1;
    if (random.chance(Math.min(0.9, rate * wet))) {
      const rain = wet * Math.exp(wild * random.normal());
      first += (1 - share) * rain;
      second += share * rain * (1 - slow) * 3;
    }
    first *= quick;
    second = ground * rate + slow * (second - ground * rate);
    z[i] = first + second;
  }
  return z;
}

/** Levels between which a machine switches, each with its own noise; some return again and again, some for good. */
function addRegimes(z: Float64Array, size: number, random: Random): void {
  const levels = Array.from({ length: 2 + random.below(3) }, () => ({
    level: size * 2 * random.normal(),
    noise: random.chance(0.3) ? 0 : size * random.logBetween(0.02, 1),
    time: random.logBetween(4, 0.5 * z.length + 5),
  }));
  let now = levels[0];
  for (let i = 0; i < z.length; i++) {
    if (random.chance(1 / now.time)) now = levels[random.below(levels.length)];
    z[i] += now.level + now.noise * random.normal();
  }
}

/** Bursts at random, which fade or end at once; of very different heights. */
function addBursts(z: Float64Array, size: number, random: Random): void {
  const rate = random.logBetween(0.002, 0.08);
  const wild = random.between(0.2, 1.2);
  const time = random.chance(0.4) ? 0 : random.logBetween(1, 30);
  const fades = random.chance(0.5);
  const side = random.chance(0.85) ? 1 : -1;
  for (let i = 0; i < z.length; i++) {
    if (!random.chance(rate)) continue;
    const height = side * size * Math.exp(wild * random.normal());
    const length = time === 0 ? 1 : Math.ceil(-time * Math.log(1 - random.uniform()));
    for (let k = 0; k < length && i + k < z.length; k++) z[i + k] += fades ? height * (1 - k / length) : height;
  }
}

/** A job that runs every so many steps. */
function addJobs(z: Float64Array, size: number, random: Random): void {
  const every = random.chance(0.6)
    ? [6, 12, 24, 48, 72, 96, 144, 288][random.below(8)]
    : Math.round(random.logBetween(3, 200));
  const length = 1 + random.below(Math.max(1, every >> 3));
  const loose = random.chance(0.3) ? 0.15 : 0;
  const height = size * random.logBetween(0.5, 8);
  for (let start = random.below(every); start < z.length; start += every) {
    const at = start + Math.round(loose * every * random.normal());
    const now = height * (1 + 0.2 * random.normal());
    for (let k = 0; k < length && at + k < z.length; k++) if (at + k >= 0) z[at + k] += now;
  }
}

/** What a server or a sensor reports: levels, bursts and jobs on top of noise, cut at a limit now and then. */
export function machine(count: number, random: Random): Float64Array {
  const z = new Float64Array(count);
  const noise = random.chance(0.15) ? 0 : random.logBetween(0.05, 1);
  for (let i = 0; i < count; i++) z[i] = noise * (random.chance(0.1) ? random.heavy() : random.normal());
  if (random.chance(0.5)) addReverting(z, random.logBetween(0.1, 2), random.logBetween(3, count), random);
  if (random.chance(0.35)) addRegimes(z, random.logBetween(0.3, 4), random);
  if (random.chance(0.55)) addBursts(z, random.logBetween(1, 15), random);
  if (random.chance(0.3)) addJobs(z, 1, random);
  if (random.chance(0.15)) {
    const every = 2 + random.below(20);
    for (let i = 0; i < count; i++) z[i] = z[i - (i % every)];
  }
  return z;
}

/** Cuts what physics cuts: nothing above or below a limit that is reached now and then. */
export function saturate(z: Float64Array, random: Random): void {
  const sorted = Float64Array.from(z).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))];
  const [low, high] = [at(random.between(0, 0.35)), at(random.between(0.7, 1))];
  const [below, above] = [random.chance(0.6), random.chance(0.5)];
  for (let i = 0; i < z.length; i++) {
    if (below && z[i] < low) z[i] = low;
    if (above && z[i] > high) z[i] = high;
  }
}
