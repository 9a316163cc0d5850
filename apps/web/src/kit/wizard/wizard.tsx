import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { textField, useUrlState } from '../address/url-state.ts';
import { messageOf } from '../api.ts';
import { Form } from '../form/form.tsx';
import type { WizardForm } from './use-wizard-form.ts';
import styles from './wizard.module.css';
import { SUMMARY, stepBefore, stepKeys, stepsOnTheWay, type WizardStep } from './wizard-steps.ts';

const FIELDS = { step: textField() };

interface WizardProps<V extends object> {
  form: WizardForm<V>;
  steps: readonly WizardStep<V>[];
  /** Everything that was entered, before it is sent; without it the last step is the last of `steps`. */
  summary?: (values: V) => ReactNode;
  /** The deed, on the last button: `Create job`. */
  action: string;
  /** Where the steps are, if not in `?step=` of the screen's address. */
  at?: StepAddress;
}

/** The step of the address, and the way to another one. */
export interface StepAddress {
  step: string;
  open: (step: string, options?: { replace?: boolean }) => void;
}

/**
 * A form in steps (specification "portal", part 4): forward only past steps that are right, back at any time, and to each
 * step that was open. What the server refuses leads back to the step of the field, with everything else as entered.
 */
export function Wizard<V extends object>({ form, steps, summary, action, at }: WizardProps<V>) {
  const keys = stepKeys(steps, form.values, { hasSummary: summary !== undefined });
  const { current, go, failed, failure, isChecking } = useSteps(form, steps, keys, useStepAddress(at));
  useAddressOfFirst(at, current);
  const step = steps.find(({ key }) => key === current);
  const before = stepBefore(keys, current);
  const after = keys[keys.indexOf(current) + 1];
  const titleOf = (key: string) => steps.find((known) => known.key === key)?.title ?? 'Summary';
  return (
    <div className={styles.wizard}>
      <nav aria-label="Steps">
        <ol className={styles.steps}>
          {keys.map((key) => (
            <li key={key}>
              <button
                type="button"
                className={styles.step}
                aria-current={key === current ? 'step' : undefined}
                data-failed={failed.includes(key) || undefined}
                disabled={!form.visited.includes(key) && key !== current}
                onClick={() => void go(key)}
              >
                {titleOf(key)}
                {failed.includes(key) && <span className="visually-hidden"> (has a problem)</span>}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <Form
        form={form}
        onSubmit={() => (after === undefined ? form.submit() : void go(after))}
        actions={
          <>
            {before !== undefined && (
              <Button variant="default" onClick={() => void go(before)}>
                Back
              </Button>
            )}
            <Button type="submit" loading={isChecking || form.isSending}>
              {after === undefined ? action : 'Next'}
            </Button>
          </>
        }
      >
        <h2 className={styles.title}>
          {titleOf(current)}
          <span className={styles.place}>{`Step ${keys.indexOf(current) + 1} of ${keys.length}`}</span>
        </h2>
        {step === undefined ? summary?.(form.values) : step.content(form)}
        {failure !== null && (
          <p className={styles.error} role="alert">
            {messageOf(failure)}
          </p>
        )}
      </Form>
    </div>
  );
}

/** Who opens a step that was not reached yet begins at the first, and at its address. */
function useAddressOfFirst(at: StepAddress | undefined, current: string): void {
  const first = useRef({ at, current });
  useEffect(() => {
    const { at, current } = first.current;
    if (at !== undefined && at.step !== current) at.open(current, { replace: true });
  }, []);
}

function useStepAddress(at: StepAddress | undefined): StepAddress {
  const [{ step }, setUrl] = useUrlState(FIELDS);
  return at ?? { step, open: (next, { replace = false } = {}) => setUrl({ step: next }, { push: !replace }) };
}

function useSteps<V extends object>(
  form: WizardForm<V>,
  steps: readonly WizardStep<V>[],
  keys: readonly string[],
  address: StepAddress,
) {
  const { step: asked } = address;
  const [first = SUMMARY] = keys;
  // A link to a step that was not open yet begins at the first.
  const current = keys.includes(asked) && form.visited.includes(asked) ? asked : first;
  const [stopped, setStopped] = useState<{ key: string; failure: unknown } | null>(null);
  const [isChecking, setChecking] = useState(false);
  const { visited, visit, problem, isSending } = form;
  const hasProblem = ({ fields }: WizardStep<V>) => fields.some((field) => problem(field) !== undefined);
  const open = (key: string) => {
    visit(key);
    address.open(key);
  };
  useEffect(() => {
    if (!visited.includes(current)) visit(current);
  });
  /** Returns the first step on the way that is not right. */
  const findStop = async (to: string) => {
    for (const key of stepsOnTheWay(keys, current, to)) {
      const step = steps.find((known) => known.key === key);
      if (step === undefined) continue;
      if (!form.checkAll(step.fields)) return { key, failure: null };
      try {
        await step.check?.(form.values);
      } catch (failure) {
        return { key, failure };
      }
    }
    return null;
  };
  const go = async (to: string) => {
    if (isChecking) return;
    setChecking(true);
    const stop = await findStop(to);
    setChecking(false);
    setStopped(stop);
    if ((stop?.key ?? to) !== current) open(stop?.key ?? to);
  };
  // What the server refuses about a field of another step is shown in that step.
  const wasSending = useRef(false);
  useEffect(() => {
    const refused = wasSending.current && !isSending ? steps.find(hasProblem) : undefined;
    wasSending.current = isSending;
    if (refused !== undefined) open(refused.key);
  });
  const failed = [...steps.filter(hasProblem).map(({ key }) => key), ...(stopped === null ? [] : [stopped.key])];
  const failure = stopped?.key === current ? stopped.failure : null;
  return { current, go, failed, failure, isChecking };
}
