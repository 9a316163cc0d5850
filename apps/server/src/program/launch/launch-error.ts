/** The program cannot start or go on; the message is one line for the person at the terminal. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}

/** A child ended and has said why itself, on the terminal it shares with us: nothing is to be added. */
export class AlreadyExplained extends Error {
  override readonly name = 'AlreadyExplained';
}
