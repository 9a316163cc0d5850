const KEY = 'keepwatch.o365-prompt-dismissed';

/** Whether the user was already prompted to make the first organization or job. Until log-out (specification "portal", part 4). */
export const wizardPrompt = {
  isDismissed: (): boolean => sessionStorage.getItem(KEY) !== null,
  dismiss: (): void => sessionStorage.setItem(KEY, 'true'),
  forget: (): void => sessionStorage.removeItem(KEY),
};
