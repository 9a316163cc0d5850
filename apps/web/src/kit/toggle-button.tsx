import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

interface ToggleButtonProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}

/** Something that is on or off. It looks like a button also while it is off. */
export function ToggleButton({ isOn, onChange, children }: ToggleButtonProps) {
  return (
    <Button variant={isOn ? 'light' : 'default'} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {children}
    </Button>
  );
}
