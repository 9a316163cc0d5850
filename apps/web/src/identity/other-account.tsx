import { Button } from '@mantine/core';

export interface AccountKind {
  kind: 'ad' | 'db';
  onKind: (kind: 'ad' | 'db') => void;
}

/** Of brands with a directory: the way to the accounts of the portal itself, and back. */
export function OtherAccount({ kind, onKind }: AccountKind) {
  const isDirectory = kind === 'ad';
  return (
    <Button variant="subtle" size="sm" fullWidth onClick={() => onKind(isDirectory ? 'db' : 'ad')}>
      {isDirectory ? 'Use an account of this portal' : 'Use an account of the directory'}
    </Button>
  );
}
