/** Something that was done and can be undone, once. */
export interface Undoable {
  undo(): void;
}

/** What can be undone, newest first, even after its message has gone. It is cleared when the session ends. */
export interface UndoStack {
  push(done: Undoable): void;
  /** The last one, which is then no longer in it. */
  pop(): Undoable | undefined;
  /** Takes one out that was undone in another way, or was not done after all. */
  remove(done: Undoable): void;
  clear(): void;
}

/** Further back, users no longer remember what a key press would undo. */
const UNDO_MAX = 100;

export function createUndoStack(): UndoStack {
  let stack: readonly Undoable[] = [];
  return {
    push(done) {
      stack = [...stack, done].slice(-UNDO_MAX);
    },
    pop() {
      const last = stack.at(-1);
      stack = stack.slice(0, -1);
      return last;
    },
    remove(done) {
      stack = stack.filter((other) => other !== done);
    },
    clear() {
      stack = [];
    },
  };
}
