import { editProfile } from '@keepwatch/contract/identity/sessions';
import { Button } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { lazy, useEffect, useState } from 'react';
import { useHasJobs, useOrganizationNames } from '../entities/organizations.data.ts';
import { jobWizard, organizationWizard } from '../entities/places.ts';
import { wizardPrompt } from '../entities/wizard-prompt.ts';
import { messageOf } from '../kit/api.ts';
import type { Target } from '../kit/place.ts';
import { useBranding, usePortal, useSession, useToasts, useUser } from '../kit/portal.tsx';
import { useGo } from '../kit/screen-link.tsx';
import { useSignOut } from '../kit/use-sign-out.ts';
import { userAllows } from '../kit/user-allows.ts';
import styles from './microsoft365-prompts.module.css';

/** Most visits ask nothing: they do not load it. */
const Dialog = lazy(() => import('../kit/dialog/dialog.tsx').then(({ Dialog: component }) => ({ default: component })));

/** What users of Microsoft 365 are asked first: to accept the terms of use, then to make an organization and a job. */
export default function Microsoft365Prompts() {
  const branding = useBranding();
  const user = useUser();
  const isActing = useSession()?.own !== undefined;
  const { ackO365TermsOfUse, passwordReset } = user;
  const terms = branding.features.office365?.selfRegistration.termsOfUse ?? null;
  if (passwordReset) return null;
  // Who acts as the user accepts nothing in that user's place.
  if (terms !== null && !ackO365TermsOfUse && !isActing) return <TermsOfUse address={terms} />;
  // Restore operators make neither.
  return userAllows(user, 'o365.organizations') && userAllows(user, 'o365.jobs') ? <WizardPrompt /> : null;
}

function TermsOfUse({ address }: { address: string }) {
  const { api, session } = usePortal();
  const user = useUser();
  const toasts = useToasts();
  const signOut = useSignOut();
  const accept = async () => {
    try {
      const body = { ackO365TermsOfUse: true };
      const { data } = await api.request(editProfile, { params: { id: user.id }, body });
      session.updateUser(data);
    } catch (error) {
      toasts.error(messageOf(error));
    }
  };
  const refuse = () => signOut.mutate();
  return (
    <Dialog isForm staysAtEscape size="md" title="Terms of use" onClose={refuse}>
      <p className={styles.text}>
        To use Microsoft 365 backup, please read and accept the{' '}
        <a href={address} target="_blank" rel="noreferrer">
          terms of use
        </a>
        .
      </p>
      <div className={styles.actions}>
        <Button variant="default" loading={signOut.isPending} onClick={refuse}>
          Refuse and log out
        </Button>
        <Button onClick={() => void accept()}>Accept</Button>
      </div>
    </Dialog>
  );
}

/** As the specification has it ("microsoft365", part 9). */
const DELAY_MS = 500;

function WizardPrompt() {
  const [isDismissed, setDismissed] = useState(wizardPrompt.isDismissed);
  const go = useGo();
  const prompt = usePrompt(!isDismissed);
  const isDue = useDelay(DELAY_MS);
  // Who is already at it needs no prompt.
  const isAtWizard = useRouterState({
    select: ({ location }) => /^\/o365\/(organizations\/new\/|jobs\/\d)/.test(location.pathname),
  });
  if (isDismissed || !isDue || isAtWizard || prompt === null) return null;
  const dismiss = () => {
    wizardPrompt.dismiss();
    setDismissed(true);
  };
  const goOn = () => {
    dismiss();
    go(prompt.to);
  };
  return (
    <Dialog size="md" title="Get started" onClose={dismiss}>
      <p className={styles.text}>{prompt.text}</p>
      <div className={styles.actions}>
        <Button variant="default" onClick={dismiss}>
          Not now
        </Button>
        <Button data-autofocus onClick={goOn}>
          Continue
        </Button>
      </div>
    </Dialog>
  );
}

/** What is missing first; `null` while that is not known, and where nothing is. */
function usePrompt(isAsked: boolean): { text: string; to: Target } | null {
  const { data: organizations } = useOrganizationNames(isAsked);
  const [first] = organizations ?? [];
  const { data: hasJobs } = useHasJobs(isAsked && first !== undefined);
  if (organizations === undefined) return null;
  if (first === undefined)
    return {
      text: 'Please start by creating a new Organization',
      // A new organization begins with the defaults; only the sign-in at Microsoft is left.
      to: organizationWizard.at({ _splat: '5/modern' }),
    };
  if (hasJobs !== false) return null;
  return {
    text: 'Please create a new Job under your Organization',
    to: jobWizard.at({ step: '1' }, { organization: first.id }),
  };
}

function useDelay(delayMs: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isOver;
}
