/** Adam with decoupled weight decay (Loshchilov and Hutter 2019), a limit on the gradient's norm and a running mean. */
export class Adam {
  readonly #parameters: Float32Array;
  readonly #gradients: Float32Array;
  /** The moments and the running mean, one after the other. */
  readonly #numbers: Float32Array;
  /** The mean of the parameters over the last steps, which forecasts better than the last ones. */
  readonly average: Float32Array;
  #steps = 0;

  constructor(parameters: Float32Array, gradients: Float32Array) {
    this.#parameters = parameters;
    this.#gradients = gradients;
    const size = parameters.length;
    this.#numbers = new Float32Array(3 * size);
    this.average = this.#numbers.subarray(2 * size);
    this.average.set(parameters);
  }

  /** All that the next steps depend on: the moments and the mean, one after the other, and how many steps there were. */
  get state(): { readonly numbers: Float32Array; readonly steps: number } {
    return { numbers: this.#numbers.slice(), steps: this.#steps };
  }

  set state({ numbers, steps }) {
    this.#numbers.set(numbers);
    this.#steps = steps;
  }

  /** @param blend weight of the new parameters in the running mean */
  step(rate: number, decay: number, blend: number): void {
    const parameters = this.#parameters;
    const gradients = this.#gradients;
    const size = parameters.length;
    const [first, second] = [this.#numbers.subarray(0, size), this.#numbers.subarray(size, 2 * size)];
    const { average } = this;
    this.#steps++;
    let squares = 0;
    for (const gradient of gradients) squares += gradient * gradient;
    const limit = Math.min(1, 1 / (Math.sqrt(squares) + 1e-6));
    const pace = rate / (1 - 0.9 ** this.#steps);
    const correction = 1 / (1 - 0.98 ** this.#steps);
    const keep = 1 - rate * decay;
    for (let i = 0; i < parameters.length; i++) {
      const gradient = gradients[i] * limit;
      const m = 0.9 * first[i] + 0.1 * gradient;
      const v = 0.98 * second[i] + 0.02 * gradient * gradient;
      first[i] = m;
      second[i] = v;
      const value = parameters[i] * keep - (pace * m) / (Math.sqrt(v * correction) + 1e-8);
      parameters[i] = value;
      average[i] += blend * (value - average[i]);
    }
  }
}
