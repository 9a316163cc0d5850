import { Button, type ButtonProps } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import type { ComponentPropsWithRef } from 'react';
import styles from './filter-button.module.css';

interface FilterButtonProps extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  label: string;
  /** What is chosen, in words; empty where nothing is. */
  chosen: readonly string[];
  /** Whether the user has narrowed the list with it: a default that is shown in words is no such thing. */
  isNarrowed?: boolean;
}

/** `Result`, `Result: Failed`, `Result: Failed +2`. A longer text ends in an ellipsis and is whole as a hint. */
export function FilterButton({ label, chosen, isNarrowed = chosen.length > 0, ...props }: FilterButtonProps) {
  const [first, ...others] = chosen;
  const rest = others.length > 0 ? ` +${others.length}` : '';
  return (
    <Button
      {...props}
      px={10}
      className={styles.button}
      styles={{ section: { marginInlineStart: 4 } }}
      variant={isNarrowed ? 'light' : 'default'}
      title={chosen.length > 0 ? `${label}: ${chosen.join(', ')}` : undefined}
      rightSection={<IconChevronDown size={14} aria-hidden />}
    >
      <span className={styles.text}>
        {first === undefined ? (
          label
        ) : (
          <>
            <span data-label>{`${label}: `}</span>
            {`${first}${rest}`}
          </>
        )}
      </span>
    </Button>
  );
}
