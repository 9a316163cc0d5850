import { type JsonObject, valueAt } from './json.ts';
import { badRequest } from './refusals.ts';

export type Predicate = (entity: unknown) => boolean;

const tokenPattern = /\s*(?:('(?:[^']|'')*')|([(),])|([A-Za-z_][\w./@-]*(?::(?=[A-Za-z_])?)?)|(-?\d[\w.:+-]*)|(:))/y;

/**
 * Reads `$filter`: comparisons with eq, ne, gt, ge, lt, le and in; and, or, not; startsWith, endsWith, contains; any and
 * all over lists. Text is compared without regard to case, instants as instants.
 * @throws GraphError 400 for what is no filter
 */
export function readFilter(text: string): Predicate {
  const reader = new FilterReader(text);
  const predicate = reader.either();
  reader.end();
  return predicate;
}

class FilterReader {
  private readonly tokens: string[] = [];
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    tokenPattern.lastIndex = 0;
    while (tokenPattern.lastIndex < text.trimEnd().length) {
      const token = tokenPattern.exec(text)?.[0];
      if (token === undefined) throw this.wrong();
      this.tokens.push(token.trim());
    }
  }

  either(): Predicate {
    const terms = [this.both()];
    while (this.takeWord('or')) terms.push(this.both());
    return (entity) => terms.some((term) => term(entity));
  }

  end(): void {
    if (this.at < this.tokens.length) throw this.wrong();
  }

  private both(): Predicate {
    const terms = [this.term()];
    while (this.takeWord('and')) terms.push(this.term());
    return (entity) => terms.every((term) => term(entity));
  }

  private term(): Predicate {
    if (this.takeWord('not')) {
      const denied = this.term();
      return (entity) => !denied(entity);
    }
    if (this.takeWord('(')) {
      const inner = this.either();
      this.expect(')');
      return inner;
    }
    const name = this.next();
    if (!/^[A-Za-z_]/.test(name)) throw this.wrong();
    return this.takeWord('(') ? this.call(name) : this.comparison(name);
  }

  private call(name: string): Predicate {
    const lambda = /^(.*)\/(any|all)$/i.exec(name);
    if (lambda) return this.lambda(lambda[1] ?? '', (lambda[2] ?? '').toLowerCase() === 'any');
    const path = this.next();
    this.expect(',');
    const sought = String(this.literal()).toLowerCase();
    this.expect(')');
    const test = textTests[name.toLowerCase()];
    if (!test) throw this.wrong();
    return (entity) => {
      const value = valueAt(entity, path);
      return typeof value === 'string' && test(value.toLowerCase(), sought);
    };
  }

  private lambda(path: string, isAny: boolean): Predicate {
    if (this.takeWord(')')) return (entity) => listAt(entity, path).length > 0;
    const name = this.next().replace(/:$/, '');
    this.takeWord(':');
    const inner = this.either();
    this.expect(')');
    // Inside, `x` is the member and `x/name` a property of it.
    const test = (member: unknown) => inner({ [name]: member });
    return (entity) => (isAny ? listAt(entity, path).some(test) : listAt(entity, path).every(test));
  }

  private comparison(path: string): Predicate {
    const operator = this.next().toLowerCase();
    if (operator === 'in') {
      const values = this.list();
      return (entity) => values.some((value) => isEqual(valueAt(entity, path), value));
    }
    const test = comparisons[operator];
    if (!test) throw this.wrong();
    const literal = this.literal();
    return (entity) => test(valueAt(entity, path), literal);
  }

  private list(): unknown[] {
    this.expect('(');
    const values = [this.literal()];
    while (this.takeWord(',')) values.push(this.literal());
    this.expect(')');
    return values;
  }

  private literal(): unknown {
    const token = this.next();
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (token === 'true' || token === 'false') return token === 'true';
    if (token === 'null') return null;
    return /^-?\d+(\.\d+)?$/.test(token) ? Number(token) : token;
  }

  private takeWord(word: string): boolean {
    if (this.tokens[this.at]?.toLowerCase() !== word) return false;
    this.at += 1;
    return true;
  }

  private next(): string {
    const token = this.tokens[this.at];
    if (token === undefined) throw this.wrong();
    this.at += 1;
    return token;
  }

  private expect(word: string): void {
    if (!this.takeWord(word)) throw this.wrong();
  }

  private wrong() {
    return badRequest(`Invalid filter clause: ${this.text}`);
  }
}

const textTests: Record<string, (value: string, sought: string) => boolean> = {
  startswith: (value, sought) => value.startsWith(sought),
  endswith: (value, sought) => value.endsWith(sought),
  contains: (value, sought) => value.includes(sought),
};

const comparisons: Record<string, (value: unknown, literal: unknown) => boolean> = {
  eq: isEqual,
  ne: (value, literal) => !isEqual(value, literal),
  gt: (value, literal) => order(value, literal) > 0,
  ge: (value, literal) => order(value, literal) >= 0,
  lt: (value, literal) => order(value, literal) < 0,
  le: (value, literal) => order(value, literal) <= 0,
};

function isEqual(value: unknown, literal: unknown): boolean {
  if (literal === null) return value === null || value === undefined;
  return order(value, literal) === 0;
}

/** Below, equal or above zero; NaN for what cannot be compared, so that no comparison is true. */
export function order(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN;
  if (isInstant.test(left) && isInstant.test(right)) return Date.parse(left) - Date.parse(right);
  const [low, high] = [left.toLowerCase(), right.toLowerCase()];
  return low < high ? -1 : Number(low > high);
}

const isInstant = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/;

function listAt(entity: unknown, path: string): readonly unknown[] {
  const value = valueAt(entity, path);
  return Array.isArray(value) ? value : [];
}

/** Sorts by `$orderby`, such as `receivedDateTime desc,subject`; nothing comes before something. */
export function readOrder(text: string): (left: JsonObject, right: JsonObject) => number {
  const keys = text.split(',').map((part) => {
    const [path = '', direction = 'asc'] = part.trim().split(/\s+/);
    return { path, sign: direction.toLowerCase() === 'desc' ? -1 : 1 };
  });
  return (left, right) => {
    for (const { path, sign } of keys) {
      const [one, other] = [valueAt(left, path), valueAt(right, path)];
      const isGap = (value: unknown) => Number(value === undefined || value === null);
      const difference = isGap(other) - isGap(one) || order(one, other) || 0;
      if (difference !== 0) return difference * sign;
    }
    return 0;
  };
}
