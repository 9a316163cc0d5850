import { closeFault, openFault, VIEWER_SECONDS } from '@keepwatch/contract/faults/viewers';
import { useEffect, useRef } from 'react';
import { useApi } from '../../kit/portal.tsx';

/** Said again this often, one lost request does no harm. */
const AGAIN_MS = (VIEWER_SECONDS * 1_000) / 3;

/**
 * Says that the person has this fault open, as long as it is shown; `onOther` where others had it open before, with the name of who was first. Nothing depends on it: a request
 * that fails is made again a little later, and a browser that is gone is forgotten.
 */
export function useViewing(id: string | null, onOther: (id: string, first: string) => void): void {
  const api = useApi();
  const latest = useRef(onOther);
  useEffect(() => {
    latest.current = onOther;
  });
  useEffect(() => {
    if (id === null) return;
    let isShown = true;
    const say = (isFirst: boolean) =>
      api
        .request(openFault, { params: { id } })
        .then(({ data: [first] }) => isShown && isFirst && first !== undefined && latest.current(id, first.username))
        .catch(() => undefined);
    void say(true);
    const timer = setInterval(() => void say(false), AGAIN_MS);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [api, id]);
  const isOpen = id !== null;
  useEffect(() => {
    if (!isOpen) return;
    return () => void api.request(closeFault, {}).catch(() => undefined);
  }, [api, isOpen]);
}
