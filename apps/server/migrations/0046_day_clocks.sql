-- By which clock the runs of a provider are counted into days: from an instant on, until the next one. Without a row: days of UTC.
CREATE TABLE day_clocks (
  provider_id integer NOT NULL REFERENCES providers ON DELETE CASCADE,
  -- The first one begins at -infinity. While a change is being recounted, the newest one moves back in time until it is the first.
  from_at timestamptz NOT NULL,
  time_zone text NOT NULL,
  begin_hour smallint NOT NULL CHECK (begin_hour BETWEEN 0 AND 23),
  -- The first day that has no run of another clock; null where there is no other.
  recounted_from date,
  PRIMARY KEY (provider_id, from_at)
);
