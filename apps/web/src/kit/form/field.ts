import { valueAt } from './field-name.ts';
import type { CallForm } from './use-call-form.ts';

/** What every field says of itself. */
export interface FieldWords {
  label: string;
  description?: string | undefined;
  /** Gets the focus when the form opens. */
  isFocused?: boolean;
}

/** Returns what a text field gets from its form. */
export function textProps<V extends object>(
  form: CallForm<V>,
  name: string,
  { isFocused = false }: Partial<FieldWords>,
) {
  const { isRequired, isNumber, max } = form.limits(name);
  const value = valueAt(form.values, name);
  return {
    name,
    value: typeof value === 'string' ? value : '',
    error: form.problem(name),
    required: isRequired,
    descriptionProps: { size: 'md' },
    ...(isNumber || max === undefined ? {} : { maxLength: max }),
    ...(isFocused ? { 'data-autofocus': true } : {}),
    onChange: (event: { currentTarget: { value: string } }) => form.set(name, event.currentTarget.value),
    onBlur: () => form.check(name),
  } as const;
}
