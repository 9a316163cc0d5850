/** What a benchmark has to reach: every figure with a target is evaluated where it is printed, and counted at the end. */
export class Targets {
  #met = 0;
  readonly #missed: string[] = [];

  /** The figure as a table shows it, with its verdict: `12.3 met`. `name` says which one was missed. */
  evaluated(name: string, figure: string, isMet: boolean): string {
    if (isMet) this.#met += 1;
    else this.#missed.push(`${name}: ${figure}`);
    return `${figure} ${isMet ? 'met' : 'missed'}`;
  }

  /** A benchmark that evaluated nothing has reached nothing. */
  get areMet(): boolean {
    return this.#met > 0 && this.#missed.length === 0;
  }

  /** The last words: the misses, a line each, and how many there are. */
  summary(): string {
    const lines = this.#missed.map((miss) => `Missed: ${miss}\n`);
    const count = this.#met + this.#missed.length;
    return `${lines.join('')}Targets: ${count}, met: ${this.#met}, missed: ${this.#missed.length}.\n`;
  }
}
