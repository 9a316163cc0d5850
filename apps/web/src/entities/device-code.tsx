import { CallFailed } from '@keepwatch/contract/wire/client';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CopyField } from '../kit/copy-field.tsx';
import { useClock } from '../kit/portal.tsx';
import { ErrorState } from '../kit/states/error-state.tsx';
import { SkeletonRows } from '../kit/states/skeleton-rows.tsx';
import styles from './device-code.module.css';

/** A code of the device sign-in at Microsoft, with when it ends. */
export interface ReceivedCode {
  userCode: string;
  verificationUrl: string;
  /** Seconds between two questions whether it was entered. */
  interval: number;
  endsAt: number;
}

/** Whether the code was not entered yet: the same is asked again after its interval. */
export function isPending(error: unknown): boolean {
  return error instanceof CallFailed && error.code === 'DEVICE_CODE_PENDING';
}

/** Whether the code has ended: another one is needed. */
export function isExpired(error: unknown): boolean {
  return error instanceof CallFailed && error.code === 'DEVICE_CODE_EXPIRED';
}

interface Attempt {
  /** Asks whether the code was entered. */
  ask: () => void;
  isAsking: boolean;
  error: unknown;
}

interface DeviceCodeProps {
  read: { data: ReceivedCode | undefined; error: unknown; refetch: () => unknown };
  attempt: Attempt;
}

/**
 * A code to enter at Microsoft, large, with how long it is valid. It continues automatically: the server is asked at the interval that Microsoft
 * names, and a code that ends is followed by a new one.
 */
export function DeviceCode({ read, attempt }: DeviceCodeProps) {
  const { data: code, error, refetch } = read;
  const remaining = useSecondsUntil(code?.endsAt ?? null);
  // What was answered to a code before says nothing about this one.
  const [asked, setAsked] = useState<string | null>(null);
  const refusal = code !== undefined && asked === code.userCode ? attempt.error : null;
  const isOver = remaining === 0 || isExpired(refusal);
  const ask = () => {
    setAsked(code?.userCode ?? null);
    attempt.ask();
  };
  useNewCode(isOver && !attempt.isAsking, code, refetch);
  useAutomaticAsking(code, isOver, { ask, isAsking: attempt.isAsking, error: refusal });
  if (error !== null) return <ErrorState what="a code" error={error} onRetry={() => void refetch()} />;
  if (code === undefined) return <SkeletonRows rows={3} />;
  return (
    <div className={styles.device}>
      <ol>
        <Line>
          Open{' '}
          <a href={code.verificationUrl} target="_blank" rel="noreferrer">
            {code.verificationUrl}
          </a>
        </Line>
        <Line>
          Enter this code:
          <CopyField isLarge label="Code" text={code.userCode} />
        </Line>
        <Line>Sign in as an administrator of the tenant and accept. This page continues automatically.</Line>
      </ol>
      <p className={styles.waiting} role="timer">
        {isOver
          ? 'The code has expired. Getting a new one…'
          : `Waiting for the sign-in · ${countdown(remaining ?? 0)} left`}
        {!isOver && (
          <Button variant="subtle" size="compact-sm" onClick={() => void refetch()}>
            New code
          </Button>
        )}
      </p>
    </div>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <li>{children}</li>;
}

/** Asks at once, and again after the interval as long as the code was not entered. Another refusal ends it. */
function useAutomaticAsking(code: ReceivedCode | undefined, isOver: boolean, { ask, isAsking, error }: Attempt): void {
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  const mayAsk = code !== undefined && !isOver && !isAsking && (error === null || isPending(error));
  const interval = code?.interval ?? 5;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `error` is a new answer
  useEffect(() => {
    if (!mayAsk) return;
    const timer = setTimeout(() => latest.current(), interval * 1_000);
    return () => clearTimeout(timer);
    // Each answer is followed by another question.
  }, [mayAsk, interval, error]);
}

/** Gets another code once for each that has ended. */
function useNewCode(isOver: boolean, code: ReceivedCode | undefined, refetch: () => unknown): void {
  const replaced = useRef<string | null>(null);
  useEffect(() => {
    if (!isOver || code === undefined || replaced.current === code.userCode) return;
    replaced.current = code.userCode;
    void refetch();
  }, [isOver, code, refetch]);
}

/** Seconds until a moment, each second; 0 once it has passed. */
function useSecondsUntil(endsAt: number | null): number | null {
  const clock = useClock();
  const read = () => (endsAt === null ? null : Math.max(0, Math.ceil((endsAt - clock.now().getTime()) / 1_000)));
  const [, redraw] = useState(0);
  useEffect(() => {
    if (endsAt === null) return;
    const timer = setInterval(() => redraw((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, [endsAt]);
  return read();
}

/** `14:05`. */
export function countdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
