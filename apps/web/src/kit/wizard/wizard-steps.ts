import type { ReactNode } from 'react';
import type { CallForm } from '../form/use-call-form.ts';

/** One step of a wizard. Declare the steps as a constant, outside the component. */
export interface WizardStep<V extends object> {
  /** In the address: `?step=schedule`. */
  key: string;
  title: string;
  /** The fields of the step: they are checked before the next step. */
  fields: readonly (keyof V & string)[];
  /** A step that what was entered makes needless. */
  isSkipped?: (values: V) => boolean;
  /** What only the server knows, asked before the next step. Throws what is to be shown where it is not right. */
  check?: (values: V) => Promise<void>;
  content: (form: CallForm<V>) => ReactNode;
}

/** The key of the last step, in which everything is seen once more before it is sent. */
export const SUMMARY = 'summary';

/** Returns the keys of the steps that these values leave, in their order, with the summary at the end. */
export function stepKeys<V extends object>(
  steps: readonly WizardStep<V>[],
  values: V,
  { hasSummary = true }: { hasSummary?: boolean } = {},
): string[] {
  const keys = steps.filter(({ isSkipped }) => isSkipped?.(values) !== true).map(({ key }) => key);
  return hasSummary ? [...keys, SUMMARY] : keys;
}

/** Returns the step before: the one that is not skipped. */
export function stepBefore(keys: readonly string[], key: string): string | undefined {
  return keys[keys.indexOf(key) - 1];
}

/** Returns the steps to check on the way from one step to a later one; none on the way back. */
export function stepsOnTheWay(keys: readonly string[], from: string, to: string): string[] {
  return keys.slice(keys.indexOf(from), Math.max(keys.indexOf(from), keys.indexOf(to)));
}
