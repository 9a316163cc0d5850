import { KindDialog } from '../entities/connection/kind-dialog.tsx';
import { SourceForm } from './source-form.tsx';
import { type Source, useSourceKinds } from './sources.data.ts';

interface SourceDialogProps {
  /** `null`: a new one. */
  source: Source | null;
  onClose: () => void;
}

/** Connects a console, or changes the settings of one. */
export default function SourceDialog({ source, onClose }: SourceDialogProps) {
  return (
    <KindDialog
      title={source === null ? 'Connect a console' : `Edit ${source.name}`}
      read={useSourceKinds()}
      what="the consoles"
      isOf={source === null ? null : ({ kind }) => kind === source.kind}
      none="This portal has no connector for any console."
      onClose={onClose}
    >
      {(kind) => <SourceForm key={kind.kind} kind={kind} source={source} onClose={onClose} />}
    </KindDialog>
  );
}
