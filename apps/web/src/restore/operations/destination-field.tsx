import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { RestoreApplication } from '../explorer/application.ts';
import { type DestinationChoice, useDestinations } from './destination.data.ts';

interface DestinationFieldProps {
  application: RestoreApplication;
  sessionId: string;
  isRequired: boolean;
  text: string;
  onChange: (text: string, chosen: DestinationChoice | null) => void;
}

/** One that is backed up is chosen from a list; another one is written. */
export function DestinationField({ application, sessionId, isRequired, text, onChange }: DestinationFieldProps) {
  const { label, description } = application.destination;
  const [search] = useDebouncedValue(text, 200);
  const choices = useDestinations(application, sessionId, search);
  return (
    <Autocomplete
      label={label}
      description={description}
      required={isRequired}
      withAsterisk={false}
      maxLength={400}
      data={choices.map((choice) => choice.label)}
      // The server has searched.
      filter={({ options }) => options}
      value={text}
      onChange={(next) => onChange(next, choices.find((choice) => choice.label === next) ?? null)}
    />
  );
}
