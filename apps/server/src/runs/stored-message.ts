import { cleanText } from './execution-log.ts';

/** Characters of a message that are stored. */
export const MESSAGE_LENGTH_MAX = 4_000;
const CUT = '\n… The middle of this message was left out. …\n';
const HALF = (MESSAGE_LENGTH_MAX - CUT.length) / 2;
const [BEGINNING_LENGTH, END_LENGTH] = [Math.ceil(HALF), Math.floor(HALF)];

/** Makes a message storable. Of a long one the beginning and the end stay, with a line between that says so: tools print the real error at the end. */
export function storedMessage(message: string): string {
  const whole = message.includes('\u0000') ? message.replaceAll('\u0000', '') : message;
  const cut =
    whole.length > MESSAGE_LENGTH_MAX ? `${whole.slice(0, BEGINNING_LENGTH)}${CUT}${whole.slice(-END_LENGTH)}` : whole;
  return cleanText(cut, MESSAGE_LENGTH_MAX);
}

/** Returns what is left of a message that was cut; `null` for one that is stored whole. */
export function partsOfMessage(message: string): { beginning: string; end: string } | null {
  if (message.length !== MESSAGE_LENGTH_MAX || !message.startsWith(CUT, BEGINNING_LENGTH)) return null;
  return { beginning: message.slice(0, BEGINNING_LENGTH), end: message.slice(-END_LENGTH) };
}
