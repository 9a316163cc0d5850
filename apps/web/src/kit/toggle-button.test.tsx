import { MantineProvider } from '@mantine/core';
import { fireEvent, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ToggleButton } from './toggle-button.tsx';

test.each([true, false])(
  'shows whether it is on (%s), reports the opposite state when pressed, and looks like a button',
  (isOn) => {
    const onChange = vi.fn();
    const toggle = (
      <ToggleButton isOn={isOn} onChange={onChange}>
        With ignored
      </ToggleButton>
    );
    const button = render(toggle, { wrapper: MantineProvider }).getByRole('button', { name: 'With ignored' });
    expect(button.getAttribute('aria-pressed')).toBe(String(isOn));
    // The library's subtle variant has neither background nor border: it looks like plain text until it is pressed.
    expect(button.dataset['variant']).not.toBe('subtle');
    fireEvent.click(button);
    expect(onChange).toHaveBeenCalledWith(!isOn);
  },
);
