import { Button, type ButtonProps } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import type { ComponentPropsWithRef } from 'react';

interface FilterButtonProps extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  label: string;
  /** What is chosen, in words; empty where nothing is. */
  chosen: readonly string[];
}

/** `Result`, `Result: Failed`, `Result: Failed +2`. */
export function FilterButton({ label, chosen, ...props }: FilterButtonProps) {
  const [first, ...others] = chosen;
  return (
    <Button
      {...props}
      px={10}
      styles={{ section: { marginInlineStart: 4 } }}
      variant={first === undefined ? 'default' : 'light'}
      rightSection={<IconChevronDown size={14} aria-hidden />}
    >
      {label}
      {first !== undefined && `: ${first}`}
      {others.length > 0 && ` +${others.length}`}
    </Button>
  );
}
