import { readUrlState, type UrlField, type UrlFields, type ValuesOf } from './address/url-state.ts';

/** One filter of a screen: how the address says it, whether it is remembered, and what it asks the server. */
export interface Filter<T, Name extends string = never, Asked = never> {
  readonly field: UrlField<T>;
  /** Whether the user finds it again at the next visit. */
  readonly isSaved: boolean;
  /** Its name in the call's query; without one the call does not have it. */
  readonly asks?: Name;
  /** What the call is given; `undefined` where it narrows nothing. */
  asked(value: T): Asked;
}

/** Without an `as` of its own an empty list or text asks nothing, and everything else is asked as it is. */
type Plain<T> = T extends readonly (infer I)[] ? I[] | undefined : string extends T ? T | undefined : T;

interface Options {
  /** Remembered until the user's next visit. */
  isSaved?: true;
}

/** Declares one filter. What `asks` names is asked of the server, as it is or `as` something else. */
export function filter<T>(field: UrlField<T>, options?: Options): Filter<T, never, never>;
export function filter<T, const Name extends string>(
  field: UrlField<T>,
  options: Options & { asks: Name },
): Filter<T, Name, Plain<T>>;
export function filter<T, const Name extends string, Asked>(
  field: UrlField<T>,
  options: Options & { asks: Name; as: (value: T) => Asked },
): Filter<T, Name, Asked>;
export function filter<T>(
  field: UrlField<T>,
  { isSaved = false, asks, as = plain }: { isSaved?: boolean; asks?: string; as?: (value: T) => unknown } = {},
): Filter<T, string, unknown> {
  return { field, isSaved, asked: as, ...(asks === undefined ? {} : { asks }) };
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : [...value];
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  return value;
}

export type Declarations = Readonly<Record<string, Filter<unknown, string, unknown>>>;
type FieldsOf<D extends Declarations> = { readonly [K in keyof D]: D[K]['field'] };
export type FilterValues<D extends Declarations> = ValuesOf<FieldsOf<D>>;
type NameOf<F> = F extends { asks?: infer Name } ? Extract<Name, string> : never;
type AskedOf<F> = F extends Filter<infer _T, infer _N, infer Asked> ? Asked : never;
type Entries<D extends Declarations> = { [K in keyof D]: [NameOf<D[K]>, AskedOf<D[K]>] }[keyof D];
type Always<E> = E extends [infer Name extends string, infer Asked]
  ? undefined extends Asked
    ? never
    : [Name, Asked]
  : never;
type Sometimes<E> = E extends [infer Name extends string, infer Asked]
  ? undefined extends Asked
    ? [Name, Exclude<Asked, undefined>]
    : never
  : never;
type Named<E> = Extract<E, [string, unknown]>;

/** What the filters ask, under the call's own names: one that can narrow nothing is optional. */
export type QueryOf<D extends Declarations> = {
  [E in Named<Always<Entries<D>>> as E[0]]: E[1];
} & { [E in Named<Sometimes<Entries<D>>> as E[0]]?: E[1] };

/** Filters as the address says them: what is stored as the user's preference. */
export type SavedFilters = Record<string, string[]>;

/** The filters of a screen: everything that is made of their one declaration. */
export interface Filters<D extends Declarations> {
  /** For the place (`search`), so that links can set them, and for `useUrlState`. */
  readonly fields: FieldsOf<D>;
  readonly defaults: FilterValues<D>;
  /** Values without what cannot be together. */
  settle(values: FilterValues<D>): FilterValues<D>;
  /** What is remembered of the values. */
  saved(values: FilterValues<D>): SavedFilters;
  /** The values of what was remembered; a value that is not known any more has its default. */
  restored(saved: SavedFilters | undefined): FilterValues<D>;
  /** What the values ask the server. */
  query(values: FilterValues<D>): QueryOf<D>;
}

export type ValuesOfFilters<F> = F extends { readonly defaults: infer Values } ? Values : never;

/** Declares the filters of a screen once. `settle` gives values that cannot be together up. */
export function declareFilters<const D extends Declarations>(
  declared: D,
  settle: (values: FilterValues<D>) => FilterValues<D> = (values) => values,
): Filters<D> {
  const entries = Object.entries(declared);
  // Each name has the field of its own filter, so the shape is that of `declared`.
  const fields = Object.fromEntries(entries.map(([name, { field }]) => [name, field])) as FieldsOf<D>;
  const savedFields: UrlFields = Object.fromEntries(
    entries.filter(([, { isSaved }]) => isSaved).map(([name, { field }]) => [name, field]),
  );
  const defaults = readUrlState(fields, {});
  return {
    fields,
    defaults,
    settle,
    saved: (values) => savedOf(savedFields, values),
    restored: (saved = {}) => settle({ ...defaults, ...readUrlState(savedFields, saved) }),
    query(values) {
      const asked = entries.flatMap(([name, { asks, asked }]) =>
        asks === undefined ? [] : [[asks, asked(values[name])]],
      );
      // Each name has what its own filter asks.
      return Object.fromEntries(asked.filter(([, value]) => value !== undefined)) as QueryOf<D>;
    },
  };
}

function savedOf(fields: UrlFields, values: Readonly<Record<string, unknown>>): SavedFilters {
  const texts = Object.entries(fields).map(([name, field]): [string, string[]] => [
    name,
    [...field.write(values[name])],
  ]);
  return Object.fromEntries(texts.filter(([, written]) => written.length > 0));
}
