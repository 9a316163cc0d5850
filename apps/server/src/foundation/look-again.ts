const LOOK_MS = 1_000;

/** Looks once a second, one look at a time. A look that fails is repeated: the database may be away for a moment. @returns ends the looking */
export function lookAgain(look: () => Promise<void>): () => void {
  let isLooking = false;
  const lookOnce = async () => {
    if (isLooking) return;
    isLooking = true;
    await look().catch(() => undefined);
    isLooking = false;
  };
  const timer = setInterval(lookOnce, LOOK_MS);
  return () => clearInterval(timer);
}
