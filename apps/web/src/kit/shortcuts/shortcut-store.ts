import { isPageCovered } from './covering-layer.ts';

/**
 * A key (`j`, `?`, `Escape`, `Space`), one that is held with others (`Shift+ArrowDown`, `Control+a`; Command counts as
 * Control), or two in a row (`g d`). Letters count as typed, so `?` needs no Shift.
 */
export interface Shortcut {
  keys: string;
  label: string;
  action: () => void;
  /** Also while a text is written or a button has the focus; never while a layer is open above the page. */
  isEverywhere?: boolean;
}

/** The shortcuts that work at this moment. The one added last wins, so that a drawer goes before its page. */
export interface ShortcutStore {
  add(shortcut: Shortcut): () => void;
  get(): readonly Shortcut[];
  subscribe(listener: () => void): () => void;
  /** Listens to the keyboard until the function given back is called. */
  listen(target: EventTarget): () => void;
}

/** How long the first key of two waits for the second. */
const SEQUENCE_MS = 1_200;

export function createShortcutStore(): ShortcutStore {
  let shortcuts: readonly Shortcut[] = [];
  const listeners = new Set<() => void>();
  const change = (next: readonly Shortcut[]) => {
    shortcuts = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => shortcuts,
    add(shortcut) {
      change([shortcut, ...shortcuts]);
      return () => change(shortcuts.filter((other) => other !== shortcut));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    listen: (target) => listenToKeys(target, () => shortcuts),
  };
}

function listenToKeys(target: EventTarget, shortcuts: () => readonly Shortcut[]): () => void {
  let first: { key: string; atMs: number } | null = null;
  const onKey = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || event.altKey || isPageCovered()) return;
    const key = nameOf(event);
    const isWaiting = first !== null && event.timeStamp - first.atMs < SEQUENCE_MS;
    const keys = isWaiting ? `${first?.key} ${key}` : key;
    const isElsewhere = belongsElsewhere(event);
    const found = shortcuts().find((shortcut) => shortcut.keys === keys && (!isElsewhere || shortcut.isEverywhere));
    if (isElsewhere && found === undefined) return;
    const isBeginning = !isWaiting && shortcuts().some((shortcut) => shortcut.keys.startsWith(`${key} `));
    first = isBeginning ? { key, atMs: event.timeStamp } : null;
    if (found === undefined) return;
    event.preventDefault();
    found.action();
  };
  target.addEventListener('keydown', onKey);
  return () => target.removeEventListener('keydown', onKey);
}

function nameOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
  const name = key === ' ' ? 'Space' : key;
  return `${ctrlKey || metaKey ? 'Control+' : ''}${shiftKey && name.length > 1 ? 'Shift+' : ''}${name}`;
}

/** What Enter, Space, and keys that are held (marking text) mean something of their own to. */
const OWN = 'a, button, summary, input, [role="button"], [role="dialog"]';

/** Keys belong to the text that is being written, and some to the button that has the focus. */
function belongsElsewhere(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (isText(target)) return true;
  return /^(Enter|Space)$|\+./.test(nameOf(event)) && target.closest(OWN) !== null;
}

function isText(target: Element): boolean {
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  const isEditable = target instanceof HTMLElement && target.isContentEditable;
  return isEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
