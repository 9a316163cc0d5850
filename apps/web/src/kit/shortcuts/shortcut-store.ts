/** A key (`j`, `?`, `Escape`) or two in a row (`g d`). Letters count as typed, so `?` needs no Shift. */
export interface Shortcut {
  keys: string;
  label: string;
  action: () => void;
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
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || isTyping(event)) return;
    const isWaiting = first !== null && event.timeStamp - first.atMs < SEQUENCE_MS;
    const keys = isWaiting ? `${first?.key} ${event.key}` : event.key;
    const found = shortcuts().find((shortcut) => shortcut.keys === keys);
    const isBeginning = !isWaiting && shortcuts().some((shortcut) => shortcut.keys.startsWith(`${event.key} `));
    first = isBeginning ? { key: event.key, atMs: event.timeStamp } : null;
    if (found === undefined) return;
    event.preventDefault();
    found.action();
  };
  target.addEventListener('keydown', onKey);
  return () => target.removeEventListener('keydown', onKey);
}

/** Keys belong to the text that is being written, and to the browser when Control, Alt or Command is held. */
function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
