import { MantineProvider } from '@mantine/core';
import { fireEvent, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ToggleButton } from './toggle-button.tsx';

test.each([true, false])(
  'says whether it is on (%s), tells the other when pressed, and has the looks of a button',
  (isOn) => {
    const onChange = vi.fn();
    const toggle = (
      <ToggleButton isOn={isOn} onChange={onChange}>
        With ignored
      </ToggleButton>
    );
    const button = render(toggle, { wrapper: MantineProvider }).getByRole('button', { name: 'With ignored' });
    expect(button.getAttribute('aria-pressed')).toBe(String(isOn));
    // The library's subtle variant has neither ground nor border: plain text to whoever has not pressed it yet.
    expect(button.dataset['variant']).not.toBe('subtle');
    fireEvent.click(button);
    expect(onChange).toHaveBeenCalledWith(!isOn);
  },
);
