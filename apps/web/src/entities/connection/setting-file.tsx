import { SETTING_LENGTH_MAX } from '@keepwatch/contract/connections/connections';
import { Input } from '@mantine/core';
import { useId, useState } from 'react';
import { formatCount } from '../../kit/format/numbers.ts';
import type { SettingWords } from './setting-words.ts';

const TOO_LONG = `The file has more than ${formatCount(SETTING_LENGTH_MAX)} characters.`;

interface SettingFileProps extends SettingWords {
  accept: string | undefined;
  /** What is known of the file that was uploaded before. */
  note: string | undefined;
}

/** A key or a certificate: the setting is the text of the file. */
export function SettingFile({ form, name, label, description, required, accept, note }: SettingFileProps) {
  const id = useId();
  const [tooLong, setTooLong] = useState(false);
  const problem = tooLong ? TOO_LONG : form.problem(name);
  const read = async (file: File | undefined) => {
    const text = (await file?.text()) ?? '';
    setTooLong(text.length > SETTING_LENGTH_MAX);
    form.set(name, text.length > SETTING_LENGTH_MAX ? '' : text);
  };
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={[description, note].filter(Boolean).join(' · ') || undefined}
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
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
    </Input.Wrapper>
  );
}
