import { TextField } from '../kit/form/text-fields.tsx';
import type { CallForm } from '../kit/form/use-call-form.ts';

/** Values of a form that asks for a word before it does what no user can undo. */
export interface Confirmed {
  confirmation: string;
}

/** What was typed, as the call asks for it: what is not the word the contract refuses. */
export function typedWord<Word extends string>({ confirmation }: Confirmed): { confirmation: Word } {
  return { confirmation: confirmation.trim() as Word };
}

/** The field for the word. */
export function TypedWord({ form, word }: { form: CallForm<Confirmed>; word: string }) {
  return (
    <TextField isFocused required form={form} name="confirmation" label={`Type ${word} to go on`} placeholder={word} />
  );
}
