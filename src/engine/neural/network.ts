import { kernelModule } from './kernel-module.ts';

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { readonly exports: Record<string, (...args: number[]) => void> };
};

let compiled: object | undefined;

export function createKernel(size: number) {
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(kernelModule), (character) => character.charCodeAt(0)));
  const memory = new WebAssembly.Memory({ initial: Math.ceil((4 * size) / 65536) });
  const { multiply, silu } = new WebAssembly.Instance(compiled, { env: { memory } }).exports;
  return {
    memory: new Float32Array(memory.buffer),
    /** C (`rows` × `columns`, a multiple of 8) becomes A·B, or with `accumulate` grows by it; the strides allow Aᵀ without a copy. */
    multiply(
      [a, rowStride, innerStride]: readonly [a: number, rowStride: number, innerStride: number],
      b: number,
      c: number,
      [rows, columns, inner]: readonly [rows: number, columns: number, inner: number],
      accumulate = false,
    ): void {
      multiply(4 * a, 4 * rowStride, 4 * innerStride, 4 * b, 4 * c, rows, 4 * columns, inner, accumulate ? 1 : 0);
    },
    /** `y` becomes z·σ(z) of `z` plus `bias`, and `slope` its derivative; `rows` × `outputs`, a multiple of 4. */
    silu({ z, slope, y, outputs }: Pick<Layer, 'z' | 'slope' | 'y' | 'outputs'>, bias: number, rows: number): void {
      silu(4 * z, 4 * bias, 4 * slope, 4 * y, rows, 4 * outputs);
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
  readonly outputs: number;
  /** So many nets read the same, each with layers of its own; the mean of what they give counts. */
  readonly nets: number;
}

type LayerName = 'window1' | 'window2' | 'context' | 'step' | 'middle' | 'residual' | 'output';

/** Sizes, and places of the parameters, of what is read, and of what comes of it: `z`, the activation's `slope`, `y`. */
type Layer = Readonly<Record<'inputs' | 'outputs' | 'weights' | 'bias' | 'x' | 'z' | 'slope' | 'y', number>>;

export function layerSizes({ windowFeatures, stepFeatures, encoder, head, outputs }: Shape) {
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
  const sizes = Object.values(layerSizes(shape));
  return shape.nets * sizes.reduce((sum, [inputs, outputs]) => sum + (inputs + 1) * outputs, 0);
}

/** The parameters of each of the nets, one after the other. */
export function netsOf({ nets }: Shape, parameters: Float32Array): Float32Array[] {
  const size = parameters.length / nets;
  return Array.from({ length: nets }, (_, net) => parameters.subarray(net * size, (net + 1) * size));
}

/**
 * A multilayer perceptron with a window part, computed once, and a step part, computed for each step ahead:
 *
 *     e = silu(silu(window·W1)·W2)·Wc;  a = silu(e + step·Ws);  b = silu(a·Wm);  output = (b + silu(b·Wr))·Wo
 *
 * Forward and backward pass are written by hand over one block of memory; `silu` is x·σ(x) (Elfwing, Uchibe and Doya
 * 2018). Of several such nets the mean is given: two that were trained apart err less together than one of twice
 * the width. There is room for so many windows at a time with so many steps each.
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
  readonly #kernel: ReturnType<typeof createKernel>;
  readonly #nets: readonly Readonly<Record<LayerName, Layer>>[];
  readonly #transposed: number;

  constructor(shape: Shape, windows: number, steps: number, { trainable = false } = {}) {
    this.shape = shape;
    this.capacity = { windows, steps };
    const rows = windows * steps;
    const sizes = layerSizes(shape);
    const count = parameterCount(shape);
    const ofTraining = (size: number): number => (trainable ? size : 0);
    let top = 0;
    const take = (size: number): number => {
      top += size;
      return top - size;
    };
    const parameters = Array.from({ length: shape.nets }, () =>
      Object.values(sizes).map(([inputs, outputs]) => {
        return { inputs, outputs, weights: take(inputs * outputs), bias: take(outputs) };
      }),
    );
    take(ofTraining(count));
    const windowsAt = take(windows * shape.windowFeatures);
    const stepsAt = take(rows * shape.stepFeatures);
    const [outputsAt, outputGradientsAt] = [take(rows * shape.outputs), take(rows * shape.outputs)];
    this.#nets = parameters.map((places) => {
      let x = windowsAt;
      const layers = Object.keys(sizes).map((name, k) => {
        if (name === 'step') x = stepsAt;
        const own = places[k];
        const size = (k < 3 ? windows : rows) * own.outputs;
        const isLast = name === 'output';
        const layer: Layer = isLast
          ? { ...own, x, z: outputsAt, slope: outputGradientsAt, y: outputsAt }
          : { ...own, x, z: take(size), slope: take(size), y: take(size) };
        x = layer.y;
        return [name, layer] as const;
      });
      return Object.fromEntries(layers) as Record<LayerName, Layer>;
    });
    this.#transposed = take(ofTraining(Math.max(...Object.values(sizes).map(([inputs, outputs]) => inputs * outputs))));
    this.#kernel = createKernel(top);
    const view = (at: number, size: number): Float32Array => this.#kernel.memory.subarray(at, at + size);
    this.parameters = view(0, count);
    this.gradients = view(count, ofTraining(count));
    this.windows = view(windowsAt, windows * shape.windowFeatures);
    this.steps = view(stepsAt, rows * shape.stepFeatures);
    this.outputs = view(outputsAt, rows * shape.outputs);
    this.outputGradients = view(outputGradientsAt, rows * shape.outputs);
  }

  /** Index of the first parameter of the layers that work on each step; those that read the window come before. */
  get firstOfSteps(): number {
    return this.#nets[0].step.weights;
  }

  forward(windows: number, steps: number): void {
    this.outputs.fill(0, 0, windows * steps * this.shape.outputs);
    for (const net of this.#nets) this.#forward(net, windows, steps);
    this.#average(this.outputs, windows * steps);
  }

  /** From `outputGradients` to `gradients`, after a forward pass over the same windows and steps. */
  backward(windows: number, steps: number): void {
    this.#average(this.outputGradients, windows * steps);
    for (const net of this.#nets) this.#backward(net, windows, steps);
  }

  #average(outputs: Float32Array, rows: number): void {
    const { length } = this.#nets;
    if (length > 1) for (let i = 0; i < rows * this.shape.outputs; i++) outputs[i] /= length;
  }

  #forward(net: Readonly<Record<LayerName, Layer>>, windows: number, steps: number): void {
    const { window1, window2, context, step, middle, residual, output } = net;
    const { memory } = this.#kernel;
    const rows = windows * steps;
    this.#pass(window1, windows);
    this.#pass(window2, windows);
    this.#times(context, windows);
    const width = step.outputs;
    const [contextBias, stepBias] = [context.bias, step.bias];
    for (let window = 0; window < windows; window++) {
      const source = context.z + window * width;
      for (let j = 0; j < width; j++) memory[source + j] += memory[contextBias + j] + memory[stepBias + j];
      const target = step.z + window * steps * width;
      for (let row = 0; row < steps; row++) memory.copyWithin(target + row * width, source, source + width);
    }
    this.#times(step, rows, true);
    // Both biases are in already; no slope is ever written for the context, so that there are zeros.
    this.#kernel.silu(step, context.slope, rows);
    this.#pass(middle, rows);
    this.#pass(residual, rows);
    const inner = rows * residual.outputs;
    const [third, second] = [residual.y, middle.y];
    for (let i = 0; i < inner; i++) memory[third + i] += memory[second + i];
    const { z, bias, outputs } = output;
    for (let row = 0; row < rows; row++) {
      for (let j = 0; j < outputs; j++) memory[z + row * outputs + j] += memory[bias + j];
    }
    this.#times(output, rows, true);
  }

  #backward(net: Readonly<Record<LayerName, Layer>>, windows: number, steps: number): void {
    const { window1, window2, context, step, middle, residual, output } = net;
    const { memory } = this.#kernel;
    const rows = windows * steps;
    const multiplyBySlope = ({ z, slope, outputs }: Layer, count: number): void => {
      for (let i = 0; i < count * outputs; i++) memory[z + i] *= memory[slope + i];
    };
    const inner = rows * residual.outputs;
    // Where a value before or after its activation is no longer needed, its place takes the gradient by it.
    this.#back(output, rows, middle.z, output.slope);
    memory.copyWithin(residual.z, middle.z, middle.z + inner);
    multiplyBySlope(residual, rows);
    this.#back(residual, rows, residual.y);
    const [second, third, slope] = [middle.z, residual.y, middle.slope];
    for (let i = 0; i < inner; i++) {
      memory[second + i] = (memory[second + i] + memory[third + i]) * memory[slope + i];
    }
    this.#back(middle, rows, step.z);
    multiplyBySlope(step, rows);
    this.#back(step, rows);
    const width = step.outputs;
    memory.fill(0, context.z, context.z + windows * width);
    for (let row = 0; row < rows; row++) {
      const target = context.z + Math.floor(row / steps) * width;
      const source = step.z + row * width;
      for (let j = 0; j < width; j++) memory[target + j] += memory[source + j];
    }
    this.#back(context, windows, window2.z);
    multiplyBySlope(window2, windows);
    this.#back(window2, windows, window1.z);
    multiplyBySlope(window1, windows);
    this.#back(window1, windows);
  }

  #times({ x, inputs, outputs, weights, z }: Layer, rows: number, accumulate = false): void {
    this.#kernel.multiply([x, inputs, 1], weights, z, [rows, outputs, inputs], accumulate);
  }

  #pass(layer: Layer, rows: number): void {
    this.#times(layer, rows);
    this.#kernel.silu(layer, layer.bias, rows);
  }

  /** From the gradient by what a layer gives to that by its parameters and, at `target`, by what it reads. */
  #back({ x, inputs, outputs, weights, bias, z }: Layer, rows: number, target?: number, gradient = z): void {
    const { memory } = this.#kernel;
    const count = this.parameters.length;
    this.#kernel.multiply([x, 1, inputs], gradient, count + weights, [inputs, outputs, rows]);
    const sums = count + bias;
    memory.fill(0, sums, sums + outputs);
    for (let row = 0; row < rows; row++) {
      for (let j = 0; j < outputs; j++) memory[sums + j] += memory[gradient + row * outputs + j];
    }
    if (target === undefined) return;
    const transposed = this.#transposed;
    for (let i = 0; i < inputs; i++) {
      for (let j = 0; j < outputs; j++) memory[transposed + j * inputs + i] = memory[weights + i * outputs + j];
    }
    this.#kernel.multiply([gradient, outputs, 1], transposed, target, [rows, inputs, outputs]);
  }
}
