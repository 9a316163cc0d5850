import { lazy, Suspense, useState } from 'react';
import { useLive } from '../kit/live/use-live.ts';
import { Consoles } from './consoles.tsx';
import { type Source, useSources } from './sources.data.ts';
import styles from './sources.module.css';
import { IntakeTokens } from './tool-reports/intake-tokens.tsx';

const SourceDialog = lazy(() => import('./source-dialog.tsx'));
const TokenDialog = lazy(() => import('./tool-reports/token-dialog.tsx'));
const UnmatchedRuns = lazy(() => import('./unmatched-runs.tsx'));

type Open =
  | { dialog: 'connect' | 'token' | 'unmatched' }
  /** The settings of a console that is connected. */
  | { dialog: 'edit'; source: Source };

/** Where runs come from: consoles that are read, and tokens with which tools report by themselves. */
export default function SourcesScreen() {
  const [open, setOpen] = useState<Open | null>(null);
  const consoles = useSources();
  const close = () => setOpen(null);
  useLive('sync.changed', ['sources']);
  return (
    <div className={styles.screen}>
      <Consoles
        reading={consoles}
        onConnect={() => setOpen({ dialog: 'connect' })}
        onEdit={(source) => setOpen({ dialog: 'edit', source })}
        onUnmatched={() => setOpen({ dialog: 'unmatched' })}
      />
      {/* Read at the same time, but shown when its place is known: it is below a list of unknown length. */}
      <div hidden={consoles.isPending}>
        <IntakeTokens onCreate={() => setOpen({ dialog: 'token' })} />
      </div>
      <Suspense fallback={null}>
        {open?.dialog === 'connect' && <SourceDialog source={null} onClose={close} />}
        {open?.dialog === 'edit' && <SourceDialog source={open.source} onClose={close} />}
        {open?.dialog === 'token' && <TokenDialog onClose={close} />}
        {open?.dialog === 'unmatched' && <UnmatchedRuns onClose={close} />}
      </Suspense>
    </div>
  );
}
