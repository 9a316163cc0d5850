import type { Call, CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import { bodyOf, type FieldLimits, limitsOf, problemsOf } from './body-schema.ts';
import { fieldNames, valueAt } from './field-name.ts';
import { isSaidBeside, refusalsOf } from './refusals.ts';

/** A call with a body: what a form can send. */
export type FormCall = Call & { body: z.ZodMiniType };
type Body<C extends FormCall> = CallRequest<C>['body'];

/** A body while it is filled in: numbers as typed, and `''` or `null` where nothing is entered yet. */
export type Draft<B> = { [K in keyof B]-?: DraftValue<NonNullable<B[K]>> };
type DraftValue<T> = T extends number ? string : T | '' | null;

export interface FormOptions<C extends FormCall, V extends object, R> {
  /** What the fields show at first; every field is named. */
  initial: V;
  /** Fields that are sent exactly as typed, and are never stored in the browser. */
  secrets?: readonly string[];
  /** The body for what was typed, where it is not simply the fields themselves. */
  toBody?: (values: V) => NoInfer<Body<C>>;
  /** Makes the call: the `mutateAsync` of a hook of the capability's data file. */
  send: (body: NoInfer<Body<C>>) => Promise<R>;
  onDone?: (reply: R, values: V) => void;
}

/** A form that fills in the body of one call. */
export interface CallForm<V extends object> {
  values: V;
  limits: (name: string) => FieldLimits;
  /** What is wrong with a field, beside which it is shown. */
  problem: (name: string) => string | undefined;
  set: (name: string, value: unknown) => void;
  /** Checks one field, as it is left. */
  check: (name: string) => void;
  /** Checks these fields, shows what is wrong with them, and gives whether nothing is. */
  checkAll: (names: readonly string[]) => boolean;
  secrets: readonly string[];
  /** Whether every required field has something in it. */
  isComplete: boolean;
  /** Whether the contract accepts it as it is. */
  isValid: boolean;
  /** Whether something was entered that has not been sent. */
  isDirty: boolean;
  /** Whether it has been sent, at once: what follows it need not wait for the next render. */
  isSent: RefObject<boolean>;
  isSending: boolean;
  /** Why it was refused or failed, unless that is said beside fields. */
  failure: unknown;
  /** Shows beside its fields what the server says about them. */
  refuse: (error: unknown) => void;
  submit: () => void;
  /** Begins again with the first values: of what was typed nothing is left. */
  reset: () => void;
  /** Of the form's element: the first field with a problem gets the focus. */
  ref: RefObject<HTMLFormElement | null>;
}

/**
 * A form for a call. Limits and messages come from the contract; what the server refuses is shown beside its field, and
 * the rest as one message. A form that is being sent is not sent a second time.
 */
export function useCallForm<C extends FormCall, V extends object = Draft<Body<C>>, R = CallReply<C>>(
  call: C,
  { initial, secrets = [], toBody, send, onDone }: FormOptions<C, V, R>,
): CallForm<V> {
  // What is typed is checked against the same schema before it is sent.
  const bodyFor = (values: V) => (toBody?.(values) ?? bodyOf(call.body, values, secrets)) as Body<C>;
  const fields = useForm<V>({ initialValues: initial });
  const values = fields.getValues();
  const problems = problemsOf(call.body, bodyFor(values));
  const { ref, focusFirst } = useFocusOfFirstProblem();
  const isOnItsWay = useRef(false);
  const isSent = useRef(false);
  const first = useRef(initial);
  const sending = useMutation({ mutationFn: (body: Body<C>) => send(body) });
  const names = fieldNames(values);
  const limits = (name: string) => limitsOf(call.body, name);

  const checkAll = (requested: readonly string[]) => {
    const found = Object.entries(problems).filter(([name]) => requested.some((one) => isWithin(name, one)));
    fields.setErrors({ ...fields.errors, ...Object.fromEntries(found) });
    if (found.length > 0) focusFirst();
    return found.length === 0;
  };
  const refuse = (error: unknown) => {
    fields.setErrors(refusalsOf(error, names));
    focusFirst();
  };
  const submit = () => {
    if (isOnItsWay.current || !checkAll(names)) return;
    isOnItsWay.current = true;
    sending.mutate(bodyFor(values), {
      onSuccess: (reply) => {
        isSent.current = true;
        fields.resetDirty();
        onDone?.(reply, values);
      },
      onError: refuse,
      onSettled: () => {
        isOnItsWay.current = false;
      },
    });
  };
  return {
    values,
    limits,
    problem: (name) => fields.errors[name]?.toString(),
    set: (name, value) => {
      isSent.current = false;
      // The field that gives the value is bound to a name of its type.
      fields.setFieldValue(name, value as never);
    },
    check: (name) => {
      const problem = problems[name];
      if (problem !== undefined && !isBlank(valueAt(values, name))) fields.setFieldError(name, problem);
    },
    checkAll,
    secrets,
    isComplete: names.every((name) => !limits(name).isRequired || !isBlank(valueAt(values, name))),
    isValid: Object.keys(problems).length === 0,
    isDirty: fields.isDirty(),
    isSent,
    isSending: sending.isPending,
    failure: isSaidBeside(sending.error, names) ? null : sending.error,
    refuse,
    submit,
    reset: () => {
      // What was sent is what the library would go back to.
      fields.setInitialValues(first.current);
      fields.reset();
      sending.reset();
    },
    ref,
  };
}

function isWithin(name: string, field: string): boolean {
  return name === field || name.startsWith(`${field}.`) || field.startsWith(`${name}.`);
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** The focus goes to the first field with a problem once the problems are shown. */
function useFocusOfFirstProblem() {
  const ref = useRef<HTMLFormElement>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (round > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [round]);
  return { ref, focusFirst: () => setRound((before) => before + 1) };
}
