import { Chip } from '../kit/filters/chip.tsx';
import { capital } from '../kit/format/words.ts';
import { targetText } from './user-log-columns.tsx';
import { useNewestLog } from './user-logs.data.ts';

interface ChipProps {
  ids: readonly string[];
  onRemove: () => void;
}

/** The user to whom the list is narrowed, by the name that the entries have. */
export function UserChip({ ids, onRemove }: ChipProps) {
  const entry = useNewestLog({ userIds: ids });
  // An entry of the user may be of an administrator as that user.
  const name = entry?.asUserId === ids[0] ? entry?.asUsername : entry?.username;
  return ids.length > 0 && <Chip label={textOf('user', ids, name ?? null)} onRemove={onRemove} />;
}

/** The thing to which the list is narrowed. */
export function TargetChip({ ids, onRemove }: ChipProps) {
  const entry = useNewestLog({ targetIds: ids });
  return (
    ids.length > 0 && (
      <Chip label={textOf('target', ids, entry === undefined ? null : targetText(entry))} onRemove={onRemove} />
    )
  );
}

function textOf(noun: string, { length }: readonly string[], name: string | null): string {
  if (length > 1) return `${length} ${noun}s`;
  return name === null ? `One ${noun}` : `${capital(noun)}: ${name}`;
}
