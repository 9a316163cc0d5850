import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { type CallForm, type Draft, type FormCall, type FormOptions, useCallForm } from '../form/use-call-form.ts';
import { usePortal } from '../portal.tsx';

/** The form of a wizard, with what of it outlives a reload of the page. */
export interface WizardForm<V extends object> extends CallForm<V> {
  /** Steps that were open: those that can be jumped to. */
  visited: readonly string[];
  visit: (step: string) => void;
}

/** The addresses of a wizard whose steps have one each. */
export interface WizardAddresses {
  /** Names what is stored: another name is another form. */
  key: string;
  isWithin: (path: string) => boolean;
  /** Steps that count as open from the beginning. */
  visited?: readonly string[];
}

interface Stored<V> {
  values: Partial<V>;
  visited: readonly string[];
}

/**
 * A form that is filled in step by step. What was entered outlives a reload, in the browser's session, except secrets;
 * it is removed when it was sent, and when another screen is opened.
 */
export function useWizardForm<C extends FormCall, V extends object = Draft<CallRequest<C>['body']>, R = CallReply<C>>(
  call: C,
  options: FormOptions<C, V, R>,
  addresses?: WizardAddresses,
): WizardForm<V> {
  const { session } = usePortal();
  const router = useRouter();
  const [path] = useState(router.state.location.pathname);
  const key = `wizard:${session.get()?.user.id ?? ''}:${addresses?.key ?? path}`;
  const [stored] = useState(() => read(key, options.initial, addresses?.visited ?? []));
  const isWithin = useRef((now: string) => addresses?.isWithin(now) ?? now === path);
  const [visited, setVisited] = useState<readonly string[]>(stored.visited);
  const form = useCallForm<C, V, R>(call, {
    ...options,
    initial: { ...options.initial, ...stored.values },
    onDone: (reply, values) => {
      sessionStorage.removeItem(key);
      options.onDone?.(reply, values);
    },
  });
  const { values, secrets, isSent } = form;
  useEffect(() => {
    const stored = Object.entries(values).filter(([name]) => !secrets.some((secret) => secret.split('.')[0] === name));
    if (!isSent.current) sessionStorage.setItem(key, JSON.stringify({ values: Object.fromEntries(stored), visited }));
  }, [key, values, visited, secrets, isSent]);
  useEffect(
    () => () => {
      if (!isWithin.current(router.state.location.pathname)) sessionStorage.removeItem(key);
    },
    [router, key],
  );
  const visit = (step: string) => setVisited((before) => (before.includes(step) ? before : [...before, step]));
  return { ...form, isDirty: form.isDirty || Object.keys(stored.values).length > 0, visited, visit };
}

/**
 * What is stored for the form. Another version may have stored other fields or fields of another form, and a file comes back as an empty
 * object: only fields that the form has count, in the form that they have there.
 */
function read<V extends object>(key: string, initial: V, first: readonly string[]): Stored<V> {
  try {
    const { values, visited } = STORED.parse(JSON.parse(sessionStorage.getItem(key) ?? 'null'));
    const fields = new Map<string, unknown>(Object.entries(initial));
    const usable = Object.entries(values).filter(
      ([name, value]) => fields.has(name) && isLike(value, fields.get(name)),
    );
    // Each has the name of a field and its form.
    return { values: Object.fromEntries(usable) as Partial<V>, visited };
  } catch {
    // Nothing, or something else, is stored there.
    return { values: {}, visited: first };
  }
}

const STORED = z.object({ values: z.record(z.string(), z.unknown()), visited: z.array(z.string()) });

/** A field that begins as `null` may have got any simple value. */
function isLike(value: unknown, initial: unknown): boolean {
  return initial === null ? typeof value !== 'object' || value === null : kindOf(value) === kindOf(initial);
}

function kindOf(value: unknown): string {
  if (value === null) return 'string';
  return Array.isArray(value) ? 'array' : typeof value;
}
