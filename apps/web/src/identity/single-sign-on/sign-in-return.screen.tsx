import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { signIn } from '../../entities/places.ts';
import { messageOf } from '../../kit/api.ts';
import { ScreenLink, useGo, useGoOn } from '../../kit/screen-link.tsx';
import { EntryPage } from '../entry-page.tsx';
import styles from '../sign-in.module.css';
import { rememberedNext } from './next-address.ts';
import { useFinishSignOn } from './single-sign-on.data.ts';

const SecondFactorPage = lazy(() => import('../second-factors/second-factor-page.tsx'));

/** Where an identity provider sends the browser back: ends the sign-in, or says why it cannot be. */
export default function SignInReturnScreen() {
  const { data, error, next } = useReturn();
  const go = useGo();
  if (data !== undefined && 'secondFactor' in data) {
    return (
      <Suspense fallback={null}>
        <SecondFactorPage
          asked={data.secondFactor}
          credentials={null}
          onDone={next}
          onAgain={() => go(signIn.at(), { replace: true })}
        />
      </Suspense>
    );
  }
  if (error === null) return <EntryPage title="Logging you in…">{null}</EntryPage>;
  return (
    <EntryPage title="You are not logged in">
      <p className={styles.error} role="alert">
        {messageOf(error)}
      </p>
      <ScreenLink to={signIn.at()} className={styles.onward}>
        Back to sign-in
      </ScreenLink>
    </EntryPage>
  );
}

/** Redeems the address at which the browser came back, once: its code counts once. */
function useReturn() {
  const query = useLocation({ select: ({ searchStr }) => searchStr.replace(/^\?/, '') });
  const { mutate, data, error } = useFinishSignOn();
  const goOn = useGoOn();
  const next = () => goOn(rememberedNext());
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate(query, { onSuccess: (reply) => 'token' in reply && goOn(rememberedNext()) });
  }, [mutate, query, goOn]);
  return { data, error, next };
}
