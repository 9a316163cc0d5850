import { Input } from '@mantine/core';
import { useId } from 'react';
import type { FieldWords } from './field.ts';

interface FileInputProps extends Pick<FieldWords, 'label' | 'description'> {
  name: string;
  /** Kinds of files that are offered first: `.pem,.pfx`. */
  accept?: string | undefined;
  problem: string | undefined;
  required: boolean;
  onPick: (file: File | null) => void;
}

/** Lets a person choose a file; shows what is wrong with it beside the field. */
export function FileInput({ name, label, description, accept, problem, required, onPick }: FileInputProps) {
  const id = useId();
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={description}
      descriptionProps={{ size: 'md' }}
      error={problem}
      required={required}
    >
      <input
        id={id}
        type="file"
        name={name}
        {...(accept === undefined ? {} : { accept })}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-error`}
        onChange={(event) => onPick(event.currentTarget.files?.[0] ?? null)}
      />
    </Input.Wrapper>
  );
}
