const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Reads a day, or an instant; without a zone it is on the clock of who gives it, just as times are shown to him.
 * @returns from the first to the last instant meant, or `null` for what is neither, such as the 30th of February
 */
export function readInstant(text: string): { from: Date; to: Date } | null {
  const given = text.trim();
  if (DAY.test(given)) {
    if (!isDay(given)) return null;
    // With a time and without a zone, JavaScript reads the local clock; a bare day it would take for one in UTC.
    return { from: new Date(`${given}T00:00:00`), to: new Date(`${given}T23:59:59.999`) };
  }
  const [, day = '', time = '', zone = ''] = INSTANT.exec(given) ?? [];
  const instant = new Date(`${day}T${time}${zone}`);
  return isDay(day) && !Number.isNaN(instant.getTime()) ? { from: instant, to: instant } : null;
}

/** JavaScript takes the 30th of February for the 2nd of March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** `2026-11-21 09:30` on the reader's clock: sorts, is mistaken for nothing else, and can be given back as it is. */
export function instantText(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
