import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type CallForm, type Draft, type FormCall, type FormOptions, useCallForm } from '../form/use-call-form.ts';
import { usePortal } from '../portal.tsx';

/** The form of a wizard, with what of it outlives a reload of the page. */
export interface WizardForm<V extends object> extends CallForm<V> {
  /** Steps that were open: those that can be jumped to. */
  visited: readonly string[];
  visit: (step: string) => void;
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
): WizardForm<V> {
  const { session } = usePortal();
  const router = useRouter();
  const [path] = useState(router.state.location.pathname);
  const key = `wizard:${session.get()?.user.id ?? ''}:${path}`;
  const [stored] = useState(() => read<V>(key));
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
      if (router.state.location.pathname !== path) sessionStorage.removeItem(key);
    },
    [router, path, key],
  );
  const visit = (step: string) => setVisited((before) => (before.includes(step) ? before : [...before, step]));
  return { ...form, isDirty: form.isDirty || Object.keys(stored.values).length > 0, visited, visit };
}

/** What is stored under another version's names is not used: only fields that the form has count. */
function read<V>(key: string): Stored<V> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    if (isStored<V>(stored)) return stored;
  } catch {
    // Something else is stored there.
  }
  return { values: {}, visited: [] };
}

function isStored<V>(stored: unknown): stored is Stored<V> {
  return typeof stored === 'object' && stored !== null && 'values' in stored && 'visited' in stored;
}
