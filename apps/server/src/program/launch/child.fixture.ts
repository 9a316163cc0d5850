/**
 * A child for the launcher's tests. Its arguments are what it does, one after the other: `note:text` writes a line with
 * its process number to $NOTES, `database` writes the address it was given, `ready:line` sends the launcher a line, `exit:code`,
 * `abort` ends it hard, `stay` runs until SIGTERM, `hold:file` until SIGTERM and the file is there, `deaf` does not hear
 * SIGTERM, `once:file` goes on the first time only.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';

const notes = process.env.NOTES ?? '';
const steps = process.argv.slice(2);

function note(text: string): void {
  appendFileSync(notes, `${text} ${process.pid}\n`);
}

function stay(): void {
  process.once('SIGTERM', () => {
    note('stopped');
    process.exit(0);
  });
  setInterval(() => undefined, 60_000);
}

function hold(file: string): void {
  process.once('SIGTERM', () => {
    note('asked to stop');
    setInterval(() => {
      if (!existsSync(file)) return;
      note('stopped');
      process.exit(0);
    }, 10);
  });
  setInterval(() => undefined, 60_000);
}

function beDeaf(): void {
  process.on('SIGTERM', () => note('deaf'));
  setInterval(() => undefined, 60_000);
}

for (const step of steps) {
  const [verb = '', ...rest] = step.split(':');
  const text = rest.join(':');
  if (verb === 'note') note(text);
  if (verb === 'ready') await new Promise((sent) => process.send?.({ ready: true, lines: text ? [text] : [] }, sent));
  if (verb === 'exit') process.exit(Number(text));
  if (verb === 'abort') process.kill(process.pid, 'SIGKILL');
  if (verb === 'stay') stay();
  if (verb === 'hold') hold(text);
  if (verb === 'deaf') beDeaf();
  if (verb === 'database') note(process.env.DATABASE_URL ?? 'none');
  if (verb === 'once') {
    if (existsSync(text)) {
      stay();
      break;
    }
    writeFileSync(text, '');
  }
}
