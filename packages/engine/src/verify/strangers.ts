import type { Repository } from '../repository/repository.ts';

/** What others have put into the folders of a repository: it is no fault, and no command touches it. */
export interface Strangers {
  count: number;
  /** The first of them. */
  names: string[];
}

const NAMED_MAX = 100;
/** So many are remembered: a folder of millions must not fill the memory. Beyond them one may count again when a list failed in between. */
const REMEMBERED_MAX = 100_000;

/** Counts strangers, each once, however often a list that fails in between names it. */
export class StrangerCount {
  private readonly names = new Set<string>();
  private readonly onStranger: (name: string) => void;
  private count = 0;

  constructor(onStranger: (name: string) => void = () => undefined) {
    this.onStranger = onStranger;
  }

  readonly add = (name: string): void => {
    if (this.names.has(name)) return;
    if (this.names.size < REMEMBERED_MAX) this.names.add(name);
    this.count += 1;
    this.onStranger(name);
  };

  async addOf(repository: Repository): Promise<void> {
    for await (const name of repository.listStrangers()) this.add(name);
  }

  get found(): Strangers {
    return { count: this.count, names: [...this.names].slice(0, NAMED_MAX) };
  }
}
