/**
 * Values made lately, by the text they are made from. In a mailbox the same names, addresses and subjects come again and again; making
 * their bytes each time is a good part of what a small item costs. Emptied when full, so that memory stays bounded.
 */
export class RecentlyMade<T> {
  readonly #make: (text: string) => T;
  readonly #made = new Map<string, T>();

  constructor(make: (text: string) => T) {
    this.#make = make;
  }

  of(text: string): T {
    if (text.length > LONGEST_TEXT) {
      return this.#make(text);
    }
    const known = this.#made.get(text);
    if (known !== undefined) {
      return known;
    }
    if (this.#made.size === MOST_VALUES) {
      this.#made.clear();
    }
    const value = this.#make(text);
    this.#made.set(text, value);
    return value;
  }
}

const MOST_VALUES = 4_096;
const LONGEST_TEXT = 120;
