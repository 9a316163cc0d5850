import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { messageOf } from '../kit/api.ts';
import { Notice } from '../kit/states/notice.tsx';

/** Replaces a screen that failed, so that the rest of the page still works. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    // Code that could not be loaded is of an earlier build: only a new page brings the current one.
    if (isOutdated(error)) window.location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <Notice title="This page could not be shown" text={messageOf(error)}>
      <Button onClick={again}>Try again</Button>
      <Link to="/">Go to the start page</Link>
    </Notice>
  );
}

function isOutdated(error: unknown): boolean {
  return error instanceof TypeError && /import|module|chunk/i.test(error.message);
}
