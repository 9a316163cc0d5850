import { SETTING_LENGTH_MAX } from '@keepwatch/contract/connections/connections';
import { useState } from 'react';
import { FileInput } from '../../kit/form/file-input.tsx';
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
  const [tooLong, setTooLong] = useState(false);
  const problem = tooLong ? TOO_LONG : form.problem(name);
  const read = async (file: File | null) => {
    const text = (await file?.text()) ?? '';
    setTooLong(text.length > SETTING_LENGTH_MAX);
    form.set(name, text.length > SETTING_LENGTH_MAX ? '' : text);
  };
  return (
    <FileInput
      name={name}
      label={label}
      description={[description, note].filter(Boolean).join(' · ') || undefined}
      accept={accept}
      problem={problem}
      required={required}
      onPick={(file) => void read(file)}
    />
  );
}
