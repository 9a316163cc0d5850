import { type RuleName, rules } from './rules.ts';

/** One departure of a file from a rule. */
export interface Finding {
  /** Name of the broken rule. */
  rule: RuleName;
  /** Section of [MS-PST] that states it. */
  section: string;
  /** The place: a header field, an offset, a block or a node. */
  where: string;
  /** What was found and what the rule asks for. */
  message: string;
}

/** How many findings of one rule are listed; a damaged file of many GB must not fill the memory with them. */
const listedPerRule = 100;

/** A structure so damaged that what hangs below it cannot be read. */
export class Damage extends Error {
  readonly rule: RuleName;
  readonly where: string;

  constructor(rule: RuleName, where: string, message: string) {
    super(message);
    this.rule = rule;
    this.where = where;
  }
}

/** Collects findings, at most a hundred of each rule; the rest are counted. */
export class Findings {
  readonly #listed: Finding[] = [];
  readonly #counts = new Map<RuleName, number>();

  add(rule: RuleName, where: string, message: string): void {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count <= listedPerRule) this.#listed.push({ rule, section: rules[rule], where, message });
  }

  /** Runs `work`; damage becomes a finding and ends the work (undefined is returned). */
  async guard<Result>(where: string, work: () => Promise<Result> | Result): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Damage) this.add(error.rule, error.where, error.message);
      else if (error instanceof RangeError) this.add('structure-truncated', where, `ends too early: ${error.message}`);
      else throw error;
      return undefined;
    }
  }

  /** All findings in the order found, and one line for each rule of which some were left off. */
  all(): Finding[] {
    const leftOff = [...this.#counts]
      .filter(([, count]) => count > listedPerRule)
      .map(([rule, count]) => ({
        rule,
        section: rules[rule],
        where: 'whole file',
        message: `${count - listedPerRule} more findings of this rule are not listed`,
      }));
    return [...this.#listed, ...leftOff];
  }
}
