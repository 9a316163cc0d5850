import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs';
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs';
import { useState } from 'react';

/** A password, with a button that shows it: what is typed unseen is typed wrong. */
export function PasswordInput(props: Omit<TextInputProps, 'type' | 'rightSection'>) {
  const [isShown, setShown] = useState(false);
  const label = isShown ? 'Hide the password' : 'Show the password';
  const Icon = isShown ? IconEyeOff : IconEye;
  return (
    <TextInput
      {...props}
      type={isShown ? 'text' : 'password'}
      rightSection={
        <ActionIcon size={24} aria-label={label} title={label} onClick={() => setShown(!isShown)}>
          <Icon size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      }
    />
  );
}
