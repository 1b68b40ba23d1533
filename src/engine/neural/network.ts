import type { Random } from '../random.ts';
import { kernelModule } from './kernel-module.ts';

/** On one block of float32 memory, row by row; places are indices. */
export interface Kernel {
  readonly memory: Float32Array;
  /**
   * C (`rows` × `columns`, a multiple of 8) becomes, or with `accumulate` grows by, A·B. The element of A in row i for
   * inner index p lies at `a + i * rowStride + p * innerStride`, so that Aᵀ costs no copy; B is `inner` × `columns`.
   */
  multiply(
    a: number,
    rowStride: number,
    innerStride: number,
    b: number,
    c: number,
    rows: number,
    columns: number,
    inner: number,
    accumulate: boolean,
  ): void;
  /** `y` becomes z·σ(z) of `z` plus `bias`, and `slope` its derivative; `rows` × `columns`, a multiple of 4. */
  silu(z: number, bias: number, slope: number, y: number, rows: number, columns: number): void;
}

type Operation = (...args: number[]) => void;
interface Assembly {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
}
const { WebAssembly: assembly } = globalThis as unknown as { readonly WebAssembly: Assembly };

let compiled: object | undefined;

export function createKernel(size: number): Kernel {
  compiled ??= new assembly.Module(Uint8Array.from(atob(kernelModule), (character) => character.charCodeAt(0)));
  const memory = new assembly.Memory({ initial: Math.ceil((4 * size) / 65536) });
  const { exports } = new assembly.Instance(compiled, { env: { memory } });
  const { multiply, silu } = exports as { readonly multiply: Operation; readonly silu: Operation };
  return {
    memory: new Float32Array(memory.buffer),
    multiply: (a, rowStride, innerStride, b, c, rows, columns, inner, accumulate) => {
      multiply(4 * a, 4 * rowStride, 4 * innerStride, 4 * b, 4 * c, rows, 4 * columns, inner, accumulate ? 1 : 0);
    },
    silu: (z, bias, slope, y, rows, columns) => {
      silu(4 * z, 4 * bias, 4 * slope, 4 * y, rows, 4 * columns);
    },
  };
}

/** Sizes of the layers. All widths are multiples of 8, as the kernel needs. */
export interface Shape {
  readonly windowFeatures: number;
  readonly stepFeatures: number;
  /** The two layers that read the window, then the two that work on each step. */
  readonly encoder: readonly [number, number];
  readonly head: readonly [number, number];
  /** Weights over the candidate forecasts, the quantile residuals, the trusts, then padding. */
  readonly outputs: number;
}

interface Layer {
  readonly weights: number;
  readonly bias: number;
  readonly inputs: number;
  readonly outputs: number;
}
type LayerName = 'window1' | 'window2' | 'context' | 'step' | 'middle' | 'residual' | 'output';

function layerSizes({ windowFeatures, stepFeatures, encoder, head, outputs }: Shape) {
  return {
    window1: [windowFeatures, encoder[0]],
    window2: encoder,
    context: [encoder[1], head[0]],
    step: [stepFeatures, head[0]],
    middle: head,
    residual: [head[1], head[1]],
    output: [head[1], outputs],
  } satisfies Record<LayerName, readonly [number, number]>;
}

export function parameterCount(shape: Shape): number {
  return Object.values(layerSizes(shape)).reduce((sum, [inputs, outputs]) => sum + (inputs + 1) * outputs, 0);
}

/**
 * A multilayer perceptron with a window part, computed once, and a step part, computed for each step ahead:
 *
 *     e = silu(silu(window·W1)·W2)·Wc;  a = silu(e + step·Ws);  b = silu(a·Wm);  output = (b + silu(b·Wr))·Wo
 *
 * Forward and backward pass are written by hand over one block of memory; `silu` is x·σ(x) (Elfwing, Uchibe and Doya
 * 2018). A net has room for so many windows at a time with so many steps each.
 */
export class Network {
  readonly shape: Shape;
  readonly capacity: { readonly windows: number; readonly steps: number };
  readonly parameters: Float32Array;
  readonly gradients: Float32Array;
  /** The inputs to fill in: window features, then the features of the steps of all windows. */
  readonly windows: Float32Array;
  readonly steps: Float32Array;
  /** One row for each step of each window; and the gradient of the loss by it, to fill in before `backward`. */
  readonly outputs: Float32Array;
  readonly outputGradients: Float32Array;
  readonly #kernel: Kernel;
  readonly #layers: Record<LayerName, Layer>;
  readonly #gradientLayers: Record<LayerName, Layer>;
  readonly #at: Record<string, number>;

  constructor(
    shape: Shape,
    windows: number,
    steps: number,
    options: { trainable?: boolean; kernel?: (size: number) => Kernel } = {},
  ) {
    this.shape = shape;
    this.capacity = { windows, steps };
    const trainable = options.trainable ?? false;
    const rows = windows * steps;
    const { windowFeatures, stepFeatures, encoder, head, outputs } = shape;
    const count = parameterCount(shape);
    const ofTraining = (size: number): number => (trainable ? size : 0);
    const sizes: Record<string, number> = {
      parameters: count,
      gradients: ofTraining(count),
      windows: windows * windowFeatures,
      steps: rows * stepFeatures,
      ...states('encoded1', windows * encoder[0]),
      ...states('encoded2', windows * encoder[1]),
      context: windows * head[0],
      ...states('first', rows * head[0]),
      ...states('second', rows * head[1]),
      ...states('third', rows * head[1]),
      outputs: rows * outputs,
      zeros: head[0],
      outputGradients: ofTraining(rows * outputs),
      spare: ofTraining(rows * head[1]),
      transposed: ofTraining(Math.max(...Object.values(layerSizes(shape)).map(([i, o]) => i * o))),
    };
    let top = 0;
    this.#at = {};
    for (const [name, size] of Object.entries(sizes)) {
      this.#at[name] = top;
      top += size;
    }
    this.#kernel = (options.kernel ?? createKernel)(top);
    const { memory } = this.#kernel;
    const view = (name: string): Float32Array => memory.subarray(this.#at[name], this.#at[name] + sizes[name]);
    this.parameters = view('parameters');
    this.gradients = view('gradients');
    this.windows = view('windows');
    this.steps = view('steps');
    this.outputs = view('outputs');
    this.outputGradients = view('outputGradients');
    this.#layers = layout(shape, 0);
    this.#gradientLayers = layout(shape, count);
  }

  /** Index of the first parameter of the layers that work on each step; those that read the window come before. */
  get firstOfSteps(): number {
    return this.#layers.step.weights;
  }

  /** Random weights of variance 1/3 per input; small ones for the outputs, so that all candidates start alike. */
  initialize(random: Random): void {
    this.parameters.fill(0);
    for (const [name, { weights, inputs, outputs }] of Object.entries(this.#layers)) {
      const reach = Math.sqrt(1 / inputs) * (name === 'output' ? 0.1 : 1);
      for (let i = 0; i < inputs * outputs; i++) this.parameters[weights + i] = random.between(-reach, reach);
    }
  }

  forward(windows: number, steps: number): void {
    const at = this.#at;
    const layers = this.#layers;
    const { memory } = this.#kernel;
    const rows = windows * steps;
    this.#pass(at.windows, layers.window1, 'encoded1', windows);
    this.#pass(at.encoded1Out, layers.window2, 'encoded2', windows);
    this.#times(at.encoded2Out, layers.context, at.context, windows);
    const width = layers.step.outputs;
    const { context, first } = at;
    const [contextBias, stepBias] = [layers.context.bias, layers.step.bias];
    for (let window = 0; window < windows; window++) {
      const source = context + window * width;
      for (let j = 0; j < width; j++) memory[source + j] += memory[contextBias + j] + memory[stepBias + j];
      const target = first + window * steps * width;
      for (let row = 0; row < steps; row++) memory.copyWithin(target + row * width, source, source + width);
    }
    this.#times(at.steps, layers.step, at.first, rows, true);
    this.#kernel.silu(at.first, at.zeros, at.firstSlope, at.firstOut, rows, width);
    this.#pass(at.firstOut, layers.middle, 'second', rows);
    this.#pass(at.secondOut, layers.residual, 'third', rows);
    const inner = rows * layers.residual.outputs;
    const [third, second] = [at.thirdOut, at.secondOut];
    for (let i = 0; i < inner; i++) memory[third + i] += memory[second + i];
    const { bias, outputs } = layers.output;
    for (let row = 0; row < rows; row++) memory.copyWithin(at.outputs + row * outputs, bias, bias + outputs);
    this.#times(at.thirdOut, layers.output, at.outputs, rows, true);
  }

  /** From `outputGradients` to `gradients`, after a forward pass over the same windows and steps. */
  backward(windows: number, steps: number): void {
    const at = this.#at;
    const layers = this.#layers;
    const { memory } = this.#kernel;
    const rows = windows * steps;
    const multiplyBy = (target: number, factors: number, count: number): void => {
      for (let i = 0; i < count; i++) memory[target + i] *= memory[factors + i];
    };
    const inner = rows * layers.residual.outputs;
    // Where a value before its activation is no longer needed, its place takes the gradient by it.
    this.#weightGradient('output', at.thirdOut, at.outputGradients, rows);
    this.#inputGradient(layers.output, at.outputGradients, at.second, rows);
    memory.copyWithin(at.third, at.second, at.second + inner);
    multiplyBy(at.third, at.thirdSlope, inner);
    this.#weightGradient('residual', at.secondOut, at.third, rows);
    this.#inputGradient(layers.residual, at.third, at.spare, rows);
    for (let i = 0; i < inner; i++) {
      memory[at.second + i] = (memory[at.second + i] + memory[at.spare + i]) * memory[at.secondSlope + i];
    }
    this.#weightGradient('middle', at.firstOut, at.second, rows);
    this.#inputGradient(layers.middle, at.second, at.first, rows);
    const width = layers.step.outputs;
    multiplyBy(at.first, at.firstSlope, rows * width);
    this.#weightGradient('step', at.steps, at.first, rows);
    memory.fill(0, at.context, at.context + windows * width);
    for (let row = 0; row < rows; row++) {
      const target = at.context + Math.floor(row / steps) * width;
      for (let j = 0; j < width; j++) memory[target + j] += memory[at.first + row * width + j];
    }
    this.#weightGradient('context', at.encoded2Out, at.context, windows);
    this.#inputGradient(layers.context, at.context, at.encoded2, windows);
    multiplyBy(at.encoded2, at.encoded2Slope, windows * layers.window2.outputs);
    this.#weightGradient('window2', at.encoded1Out, at.encoded2, windows);
    this.#inputGradient(layers.window2, at.encoded2, at.encoded1, windows);
    multiplyBy(at.encoded1, at.encoded1Slope, windows * layers.window1.outputs);
    this.#weightGradient('window1', at.windows, at.encoded1, windows);
  }

  #times(input: number, { weights, inputs, outputs }: Layer, output: number, rows: number, accumulate = false): void {
    this.#kernel.multiply(input, inputs, 1, weights, output, rows, outputs, inputs, accumulate);
  }

  #pass(input: number, layer: Layer, state: string, rows: number): void {
    const at = this.#at;
    this.#times(input, layer, at[state], rows);
    this.#kernel.silu(at[state], layer.bias, at[`${state}Slope`], at[`${state}Out`], rows, layer.outputs);
  }

  #weightGradient(name: LayerName, input: number, gradient: number, rows: number): void {
    const { weights, bias, inputs, outputs } = this.#gradientLayers[name];
    const { memory } = this.#kernel;
    this.#kernel.multiply(input, 1, inputs, gradient, weights, inputs, outputs, rows, false);
    memory.fill(0, bias, bias + outputs);
    for (let row = 0; row < rows; row++) {
      for (let j = 0; j < outputs; j++) memory[bias + j] += memory[gradient + row * outputs + j];
    }
  }

  #inputGradient({ weights, inputs, outputs }: Layer, gradient: number, target: number, rows: number): void {
    const { memory } = this.#kernel;
    const { transposed } = this.#at;
    for (let i = 0; i < inputs; i++) {
      for (let j = 0; j < outputs; j++) memory[transposed + j * inputs + i] = memory[weights + i * outputs + j];
    }
    this.#kernel.multiply(gradient, outputs, 1, transposed, target, rows, inputs, outputs, false);
  }
}

function states(name: string, size: number): Record<string, number> {
  return { [name]: size, [`${name}Slope`]: size, [`${name}Out`]: size };
}

function layout(shape: Shape, start: number): Record<LayerName, Layer> {
  let top = start;
  const layers = Object.entries(layerSizes(shape)).map(([name, [inputs, outputs]]) => {
    const layer = { weights: top, bias: top + inputs * outputs, inputs, outputs };
    top += (inputs + 1) * outputs;
    return [name, layer];
  });
  return Object.fromEntries(layers) as Record<LayerName, Layer>;
}
