import type { Toast, ToastStore } from './toast-store.ts';

interface Merging<Item> {
  kind: Toast['kind'];
  /** What the toast says of one or several. */
  textOf: (items: readonly Item[]) => string;
  /** What is done with all of them from the toast. */
  action?: { label: string; run: (items: readonly Item[]) => void };
}

/** One toast for all that happened of a kind while it is on screen: `12 runs resolved. Undo`. */
export interface MergedToast<Item> {
  add(item: Item): void;
  /** It no longer speaks of these; it closes where nothing is left. */
  removeWhere(isGone: (item: Item) => boolean): void;
}

export function createMergedToast<Item>(toasts: ToastStore, merging: Merging<Item>): MergedToast<Item> {
  let id: number | null = null;
  let items: readonly Item[] = [];
  const isOpen = () => toasts.get().some((toast) => toast.id === id);
  const show = () => {
    const shown = items;
    const { action } = merging;
    id = toasts.show({
      id,
      kind: merging.kind,
      message: merging.textOf(shown),
      action: action === undefined ? null : { label: action.label, run: () => action.run(shown) },
    });
  };
  return {
    add(item) {
      items = isOpen() ? [...items, item] : [item];
      show();
    },
    removeWhere(isGone) {
      const left = items.filter((item) => !isGone(item));
      if (left.length === items.length || !isOpen()) return;
      items = left;
      if (left.length > 0) show();
      else if (id !== null) toasts.close(id);
    },
  };
}
