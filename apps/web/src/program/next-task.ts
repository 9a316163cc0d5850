/** Ends the task at hand: what follows is one of its own, and between the two the browser draws, and answers who types. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
