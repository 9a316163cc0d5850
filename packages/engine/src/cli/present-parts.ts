import { catchUp } from '../engine.ts';
import type { CommandContext, CommandEnd } from './command.ts';
import type { CommandOption } from './command-option.ts';
import { reportDoubledRevisions } from './findings.ts';
import { type OpenParts, REPOSITORY_OPTIONS, withParts } from './open-parts.ts';
import { printEvents } from './print-events.ts';

/** Options of commands that show what the catalog knows: they are to be quick, and the journals are followed on request alone. */
export const SHOWING_OPTIONS: Readonly<Record<string, CommandOption>> = {
  ...REPOSITORY_OPTIONS,
  'catch-up': {
    type: 'boolean',
    help: 'first follows what was backed up or pruned with another catalog',
  },
};

/** Opens what a command shows, as it is known here, or with `--catch-up` as it is in the repository now. */
export function withShownParts(
  context: CommandContext,
  work: (parts: OpenParts) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  return context.given.has('catch-up') ? withPresentParts(context, work) : withParts(context, work, { looks: true });
}

/**
 * Opens what a command reads from packs, with the catalog as the repository is now. Where that cannot be known whole, what is known is read and
 * the end is no Success.
 */
export function withPresentParts(
  context: CommandContext,
  work: (parts: OpenParts) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  const { output, signal } = context;
  return withParts(context, async (parts) => {
    const { doubled, behind } = await catchUp(parts, { signal, onEvent: printEvents(output).onEvent });
    reportDoubledRevisions(doubled, output);
    if (behind === null) return work(parts);
    output.problem(`${behind.message} Until then this is what the catalog knows, which may not be the newest.`, {
      code: 'behind',
      reason: behind.message,
    });
    const end = await work(parts);
    return end === 'Success' ? 'Warning' : end;
  });
}
