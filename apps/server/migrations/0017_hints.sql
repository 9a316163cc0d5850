-- What a provider's administrators write once for all technicians, shown beside the runs that fit its condition.
CREATE TABLE hints (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  -- As typed, and what it asks of a message: each of these is in it.
  words text NOT NULL,
  phrases text[] NOT NULL,
  result execution_result,
  -- Empty: all.
  source_groups text[] NOT NULL,
  job_types text[] NOT NULL,
  is_active boolean NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id)
);
