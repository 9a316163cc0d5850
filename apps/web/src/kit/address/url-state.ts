import { type HistoryState, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** How one value of a screen is written in its address. A default value is omitted. */
export interface UrlField<T> {
  read(texts: readonly string[]): T;
  write(value: T): readonly string[];
  /** Whether some of these texts can name nothing, so that what is read of them is less than the address says. */
  isUnknown?(texts: readonly string[]): boolean;
}

export type UrlFields = Readonly<Record<string, UrlField<unknown>>>;
export type ValuesOf<F> = { readonly [K in keyof F]: F[K] extends UrlField<infer T> ? T : never };

export function textField(fallback = ''): UrlField<string> {
  return { read: ([text]) => text ?? fallback, write: (value) => (value === fallback ? [] : [value]) };
}

export function choiceField<const T extends string>(choices: readonly T[], fallback: NoInfer<T>): UrlField<T> {
  return {
    read: ([text]) => choices.find((choice) => choice === text) ?? fallback,
    write: (value) => (value === fallback ? [] : [value]),
  };
}

/** A list; `?company=` (one empty text) is an empty list where the fallback is not empty. */
export function listField<const T extends string>(
  choices: readonly T[] | 'any',
  fallback: readonly T[] = [],
): UrlField<readonly T[]> {
  const isChoice = (text: string): text is T =>
    text !== '' && (choices === 'any' || choices.some((choice) => choice === text));
  return {
    read: (texts) => (texts.length === 0 ? fallback : texts.filter(isChoice)),
    write: (value) => {
      if (value.join('\n') === fallback.join('\n')) return [];
      return value.length === 0 ? [''] : value;
    },
  };
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A list of ids. Malformed ids are ignored, as the server would refuse them, and `useHasUnknown` reports them. */
export function idListField(): UrlField<readonly string[]> {
  return {
    read: (texts) => texts.filter((text) => ID.test(text)),
    write: (value) => value,
    isUnknown: (texts) => texts.some((text) => text !== '' && !ID.test(text)),
  };
}

/** A UTC day (`2026-01-31`); anything else reads as none. */
export function dayField(): UrlField<string> {
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  return {
    read: ([text = '']) => (isDay(text) ? text : ''),
    write: (value) => (value === '' ? [] : [value]),
  };
}

export function flagField(fallback = false): UrlField<boolean> {
  return {
    read: ([text]) => (text === undefined ? fallback : text === 'true'),
    write: (value) => (value === fallback ? [] : [String(value)]),
  };
}

interface ChangeOptions {
  /** Adds to the history instead of replacing its last entry. */
  push?: boolean;
  /** What the browser keeps with the entry; `true`: what it keeps with the present one. */
  state?: HistoryState | true;
}

/**
 * Stores the state of a screen in its address, so that users can link to it, reload it and go back to it.
 * `fields` must stay the same object between renders (a constant, or memoised). A change replaces the history entry,
 * unless `push` is set.
 */
export function useUrlState<const F extends UrlFields>(fields: F) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const values = useMemo(() => readUrlState(fields, search), [fields, search]);
  const change = useCallback(
    (patch: Partial<ValuesOf<F>>, { push = false, state = {} }: ChangeOptions = {}) => {
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...before, ...writeUrlState(fields, patch) }),
        replace: !push,
        state,
        resetScroll: false,
      });
    },
    [fields, navigate],
  );
  return [values, change] as const;
}

/** Changes single texts of the address, whatever screen it is of; `undefined` removes one. */
export function useChangeAddress(): (patch: Readonly<Record<string, string[] | undefined>>) => void {
  const navigate = useNavigate();
  return (patch) =>
    void navigate({ to: '.', search: (before: Record<string, unknown>) => ({ ...before, ...patch }), replace: true });
}

/** Whether the address has a value that can name nothing: a link that was cut, or typed by hand. */
export function useHasUnknown(fields: UrlFields): boolean {
  const search: Record<string, unknown> = useSearch({ strict: false });
  return Object.entries(fields).some(([name, field]) => field.isUnknown?.(textsOf(search[name])) ?? false);
}

/** Returns what `useUrlState` gives at an address, for code that runs before anything is drawn. */
export function readUrlState<const F extends UrlFields>(fields: F, search: Record<string, unknown>): ValuesOf<F> {
  const entries = Object.entries(fields).map(([name, field]) => [name, field.read(textsOf(search[name]))]);
  // Each name gets what its own field read, so the shape is that of `fields`.
  return Object.fromEntries(entries) as ValuesOf<F>;
}

/** Returns how an address says these values; `undefined` for one that has its default and is omitted. */
export function writeUrlState(
  fields: UrlFields,
  patch: Readonly<Record<string, unknown>>,
): Record<string, readonly string[] | undefined> {
  const written: Record<string, readonly string[] | undefined> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value: unknown = patch[name];
    if (!(name in patch)) continue;
    const texts = field.write(value);
    written[name] = texts.length === 0 ? undefined : texts;
  }
  return written;
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
