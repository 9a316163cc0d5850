type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** A typed array that grows: millions of entries without an object each. */
export class GrowingArray<T extends Numbers> {
  #values: T;
  readonly #create: (length: number) => T;
  length = 0;

  constructor(create: (length: number) => T) {
    this.#create = create;
    this.#values = create(64);
  }

  push(value: number): number {
    if (this.length === this.#values.length) {
      const larger = this.#create(Math.ceil(this.#values.length * 1.5));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = value;
    this.length += 1;
    return this.length - 1;
  }

  at(index: number): number {
    const value = index < this.length ? this.#values[index] : undefined;
    if (value === undefined) {
      throw new RangeError(`No entry ${index} in an array of ${this.length}.`);
    }
    return value;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }
}
