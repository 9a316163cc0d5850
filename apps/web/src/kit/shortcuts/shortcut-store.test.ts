import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createShortcutStore, type ShortcutStore } from './shortcut-store.ts';

let store: ShortcutStore;
let stop: () => void;
beforeEach(() => {
  store = createShortcutStore();
  stop = store.listen(window);
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

function press(key: string, target: EventTarget = document.body, options: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
  target.dispatchEvent(event);
  return event;
}

test('runs the action of a key and does not pass the key to the page', () => {
  const action = vi.fn();
  store.add({ keys: '?', label: 'Help', action });
  expect(press('?').defaultPrevented).toBe(true);
  expect(action).toHaveBeenCalledTimes(1);
});

test('runs two keys in a row, and neither of them alone', () => {
  const action = vi.fn();
  store.add({ keys: 'g d', label: 'Dashboard', action });
  press('d');
  press('g');
  press('x');
  press('d');
  expect(action).not.toHaveBeenCalled();
  press('g');
  press('d');
  expect(action).toHaveBeenCalledTimes(1);
});

test('leaves a text alone that is being written', () => {
  const action = vi.fn();
  store.add({ keys: 'j', label: 'Next', action });
  for (const tag of ['input', 'textarea', 'select']) {
    const field = document.createElement(tag);
    document.body.append(field);
    expect(press('j', field).defaultPrevented).toBe(false);
  }
  expect(action).not.toHaveBeenCalled();
});

test("leaves the browser's own shortcuts alone", () => {
  const action = vi.fn();
  store.add({ keys: 'k', label: 'Previous', action });
  press('k', document.body, { ctrlKey: true });
  press('k', document.body, { metaKey: true });
  expect(action).not.toHaveBeenCalled();
});

test('lets the one added last go first, and the one before return after it', () => {
  const page = vi.fn();
  const drawer = vi.fn();
  store.add({ keys: 'j', label: 'Next row', action: page });
  const remove = store.add({ keys: 'j', label: 'Next run', action: drawer });
  press('j');
  remove();
  press('j');
  expect([drawer.mock.calls.length, page.mock.calls.length]).toEqual([1, 1]);
  expect(store.get().map(({ label }) => label)).toEqual(['Next row']);
});

test('knows keys that are held with others', () => {
  const action = vi.fn();
  for (const keys of ['Control+a', 'Shift+ArrowDown', 'Space'])
    store.add({ keys, label: keys, action: () => action(keys) });
  press('a');
  press('ArrowDown');
  expect(action).not.toHaveBeenCalled();
  press('a', document.body, { ctrlKey: true });
  press('a', document.body, { metaKey: true });
  press('ArrowDown', document.body, { shiftKey: true });
  press(' ');
  expect(action.mock.calls.flat()).toEqual(['Control+a', 'Control+a', 'Shift+ArrowDown', 'Space']);
});

test('leaves Enter, Space and held keys to the button that has the focus, and letters not', () => {
  const action = vi.fn();
  for (const keys of ['Enter', 'Space', 'Control+a', 'j']) store.add({ keys, label: keys, action: () => action(keys) });
  const button = document.createElement('button');
  document.body.append(button);
  press('Enter', button);
  press(' ', button);
  press('a', button, { ctrlKey: true });
  expect(action).not.toHaveBeenCalled();
  press('j', button);
  expect(action).toHaveBeenCalledWith('j');
});

test.each(['<div aria-modal="true"></div>', '<div popover="manual"></div>'])('leaves all keys to %s', (html) => {
  const action = vi.fn();
  store.add({ keys: 'Escape', label: 'Close the run', action });
  document.body.innerHTML = html;
  press('Escape', document.body.firstElementChild ?? document.body);
  expect(action).not.toHaveBeenCalled();
});

test.each(['<div popover="manual"></div>', '<div role="dialog" aria-modal="true"></div>', '<div inert></div>'])(
  'leaves all keys to %s also where the focus is elsewhere',
  (html) => {
    const action = vi.fn();
    store.add({ keys: 'r', label: 'Resolve', action });
    document.body.innerHTML = `<button type="button">Note</button>${html}`;
    press('r');
    press('r', document.querySelector('button') ?? document.body);
    expect(action).not.toHaveBeenCalled();
    document.querySelector('div')?.remove();
    press('r');
    expect(action).toHaveBeenCalledTimes(1);
  },
);

test('has its keys while a panel is on the page and not shown', () => {
  const action = vi.fn();
  store.add({ keys: 'r', label: 'Resolve', action });
  document.body.innerHTML = '<div popover="manual"></div>';
  Object.assign(document.querySelector('div') ?? {}, { checkVisibility: () => false });
  press('r');
  expect(action).toHaveBeenCalledTimes(1);
});
