/** Lets the browser save a text, as if it had been downloaded. */
export function saveFile(fileName: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

/** `DailyChecks` at a moment becomes `DailyChecks-20260131-140509.csv` (exports are named with a timestamp, in UTC). */
export function csvFileName(name: string, at: Date): string {
  const stamp = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${name}-${stamp}.csv`;
}
