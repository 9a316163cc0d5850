import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../../kit/form/form.tsx';
import type { CallForm } from '../../kit/form/use-call-form.ts';
import styles from './connection.module.css';
import { type OutcomeTexts, TestOutcome } from './test-outcome.tsx';
import type { SettingsTest } from './use-settings-test.ts';

interface TestedFormProps<V extends object> {
  form: CallForm<V>;
  test: SettingsTest;
  /** The deed, on the button: `Connect`. */
  action: string;
  texts?: OutcomeTexts;
  noun?: string;
  children: ReactNode;
}

/** A form with settings. Changed ones are saved only once they were seen to work: testing is the next step until then. */
export function TestedForm<V extends object>({ form, test, action, texts, noun, children }: TestedFormProps<V>) {
  const isReady = test.isPassed && form.isValid;
  return (
    <Form
      form={form}
      onSubmit={test.isPassed ? form.submit : test.run}
      actions={
        <>
          {!isReady && test.isNeeded && <span className={styles.testFirst}>Test the connection to continue.</span>}
          <TestButton test={test} />
          <Button type={test.isPassed ? 'submit' : 'button'} disabled={!isReady} loading={form.isSending}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      <TestOutcome
        {...(texts === undefined ? {} : { texts })}
        {...(noun === undefined ? {} : { noun })}
        result={test.result}
        isPending={test.isPending}
        error={test.error}
      />
    </Form>
  );
}

/** As the next step it is what Enter does, which does nothing where the form's own button is disabled. */
function TestButton({ test: { isPassed, isPossible, isPending, run } }: { test: SettingsTest }) {
  const step = isPassed
    ? ({ type: 'button', variant: 'default', onClick: run } as const)
    : ({ type: 'submit' } as const);
  return (
    <Button {...step} disabled={!isPossible} loading={isPending}>
      Test
    </Button>
  );
}

/** The form comes once its fields are known: the dialog was open before, and has given the focus to its button. */
export function focusField(field: HTMLInputElement | null): void {
  field?.focus();
}
