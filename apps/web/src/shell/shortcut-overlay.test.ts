import { expect, test } from 'vitest';
import { shortcutsByLabel } from './shortcut-overlay.tsx';

const shortcut = (keys: string, label: string) => ({ keys, label, action: () => undefined });

test('lists what does the same once, with all its keys', () => {
  const all = [shortcut('x', 'Select'), shortcut('Enter', 'Open'), shortcut('Space', 'Select')];
  expect(shortcutsByLabel(all)).toEqual([
    ['Select', ['x', 'Space']],
    ['Open', ['Enter']],
  ]);
});

test('does not list a key that does something else at the moment', () => {
  expect(shortcutsByLabel([shortcut('j', 'Next run'), shortcut('j', 'Next row')])).toEqual([['Next run', ['j']]]);
});
