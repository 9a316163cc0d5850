import type { SettingField, TestOutcome } from '@keepwatch/contract/connections/connections';
import { useMutation } from '@tanstack/react-query';
import { initialSettings, missingSettings, type Settings, settingsToSend } from './settings-draft.ts';

interface Options {
  kind: { settings: readonly SettingField[] };
  typed: Settings;
  /** Of the connection that is changed; `null`: a new one. */
  stored: Settings | null;
  send: (settings: Record<string, string>) => Promise<{ data: TestOutcome }>;
  /** Shows beside its fields what the server refuses. */
  onRefused: (error: unknown) => void;
}

/** The test of settings as they are typed. */
export interface SettingsTest {
  /** Settings that are as stored need none. */
  isNeeded: boolean;
  isPassed: boolean;
  isPending: boolean;
  /** Whether every required setting is there. */
  isPossible: boolean;
  result: TestOutcome | undefined;
  error: unknown;
  run: () => void;
}

/** What was found out about other settings than these does not count. */
export function useSettingsTest({ kind, typed, stored, send, onRefused }: Options): SettingsTest {
  const settings = settingsToSend(kind, typed, stored);
  const { mutate, data, error, isPending, variables } = useMutation({ mutationFn: send });
  const unchanged = settingsToSend(kind, initialSettings(kind, stored), stored);
  const isNeeded = stored === null || !isSame(settings, unchanged);
  const isOfThese = variables !== undefined && isSame(variables, settings);
  const result = isOfThese ? data?.data : undefined;
  return {
    isNeeded,
    isPassed: !isNeeded || result?.outcome === 'works',
    isPending,
    isPossible: missingSettings(kind, typed, stored).length === 0,
    result,
    error: isOfThese ? error : null,
    run: () => mutate(settings, { onError: onRefused }),
  };
}

function isSame(one: Settings, other: Settings): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
