import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import type { RestoreApplication } from '../explorer/application.ts';
import type { Entry } from '../explorer/entry.ts';
import { namesOf } from '../explorer/pages.ts';
import { isAllRefused, Refused, refusedOf } from '../explorer/refused.tsx';
import type { OrganizationRef } from '../points/points.data.ts';
import type { RestoreToken } from '../points/sign-in.data.ts';
import { SignIn, signedInText } from '../points/sign-in-dialog.tsx';
import styles from '../restore.module.css';
import { OperationReport } from './operation-report.tsx';
import { hasEnded, useBeginRestores, useOperations, writes } from './operations.data.ts';
import { DEFAULT_OPTIONS, placeOf, RestoreFields, type Wish } from './restore-fields.tsx';

interface RestoreDialogProps {
  application: RestoreApplication;
  organization: OrganizationRef;
  session: RestoreSession;
  entries: readonly Entry[];
  /** Of one file: the earlier version that it becomes. */
  earlierVersion?: string | undefined;
  onSignedIn: (token: RestoreToken) => void;
  onClose: () => void;
}

/**
 * Restores what was chosen in three steps: where to and how, the plan with what would become of each item, and the restore itself. Nothing is
 * written before the plan was shown.
 */
export function RestoreDialog(props: RestoreDialogProps) {
  const { application, session, entries, earlierVersion = null, onClose } = props;
  const [wish, setWish] = useState<Wish>({
    isElsewhere: false,
    to: '',
    chosen: null,
    options: { ...DEFAULT_OPTIONS, earlierVersion },
  });
  const [plan, setPlan] = useState<Begun | null>(null);
  const [restore, setRestore] = useState<Begun | null>(null);
  const refused = refusedOf(application.refusesRestore, entries);
  const begin = useBeginRestores(session.id);
  const start = (planOnly: boolean, onBegun: (begun: Begun) => void) => {
    const { to, options } = placeOf(wish);
    const requests = application.restoresOf(entries);
    begin.mutate({ requests, wish: { to, options, planOnly } }, { onSuccess: onBegun });
  };
  return (
    <Dialog title={`Restore ${namesOf(entries)}`} size="xl" isForm onClose={onClose}>
      {begin.error !== null && (
        <p className={styles.error} role="alert">
          {messageOf(begin.error)}
        </p>
      )}
      <Refused refused={refused} verb="restored" />
      {isAllRefused(refused, entries) ? null : restore !== null ? (
        <Running begun={restore} onClose={onClose} />
      ) : plan !== null ? (
        <Planned
          {...props}
          plan={plan}
          isBeginning={begin.isPending}
          onBack={() => setPlan(null)}
          onRestore={() => start(false, setRestore)}
        />
      ) : (
        <form
          className={styles.step}
          onSubmit={(event) => {
            event.preventDefault();
            start(true, setPlan);
          }}
        >
          <RestoreFields application={application} sessionId={session.id} wish={wish} onChange={setWish} />
          <div className={styles.actions}>
            <Button type="submit" loading={begin.isPending}>
              Show the plan
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

interface Begun {
  begun: readonly RestoreOperation[];
  /** What was refused beside those that began. */
  refused: readonly { name: string; message: string }[];
}

function NotBegun({ refused }: Pick<Begun, 'refused'>) {
  return refused.map(({ name, message }) => (
    <p key={name} className={styles.error} role="alert">
      {name}: {message}
    </p>
  ));
}

interface PlannedProps extends RestoreDialogProps {
  plan: Begun;
  isBeginning: boolean;
  onBack: () => void;
  onRestore: () => void;
}

/** The plan, and the restore behind a sign-in at Microsoft. */
function Planned({ plan, session, organization, isBeginning, onSignedIn, onBack, onRestore }: PlannedProps) {
  const { operations, error } = useOperations(plan.begun);
  const isReady = operations.length > 0 && operations.every(hasEnded);
  const isIdle = isReady && !operations.some(writes);
  const hasFailed = operations.some(({ state }) => state === 'Failed' || state === 'Cancelled');
  return (
    <div className={styles.step}>
      <NotBegun refused={plan.refused} />
      {error !== null && <p className={styles.error}>{messageOf(error)}</p>}
      <OperationReport operations={operations} />
      {isIdle ? (
        <p className={styles.note}>Nothing would be written: there is nothing to restore with these options.</p>
      ) : (
        <Confirmed {...{ session, organization, onSignedIn, isReady }} />
      )}
      <div className={styles.actions}>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button
          disabled={!isReady || isIdle || hasFailed || session.token === null}
          loading={isBeginning}
          onClick={onRestore}
        >
          Restore
        </Button>
      </div>
    </div>
  );
}

interface ConfirmedProps extends Pick<RestoreDialogProps, 'session' | 'organization' | 'onSignedIn'> {
  /** Whether the plan is there: what is restored is known before anyone signs in for it. */
  isReady: boolean;
}

/** Who restores, as Microsoft has confirmed it; before that the way to confirm it. */
function Confirmed({ session: { token }, organization, onSignedIn, isReady }: ConfirmedProps) {
  if (token !== null) return <p className={styles.note}>{signedInText(token)}</p>;
  return isReady ? <SignIn organization={organization} onSignedIn={onSignedIn} /> : null;
}

/** The restore while it runs, and its report. */
function Running({ begun, onClose }: { begun: Begun; onClose: () => void }) {
  const { operations, error } = useOperations(begun.begun);
  const isOver = operations.every(hasEnded);
  return (
    <div className={styles.step}>
      <NotBegun refused={begun.refused} />
      {error !== null && <p className={styles.error}>{messageOf(error)}</p>}
      <OperationReport operations={operations} />
      {!isOver && (
        <p className={styles.note}>It continues when this is closed. Find it again under Restore downloads.</p>
      )}
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
