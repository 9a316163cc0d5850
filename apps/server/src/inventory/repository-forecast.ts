import { type SQL, sql } from 'drizzle-orm';

/** Days of history behind a forecast, and the minimum for one. */
export const FORECAST_DAYS = 30;
const DAYS_MIN = 3;
/** A repository that would be full only after this time gets no forecast. */
const HORIZON_DAYS = 365;

/**
 * Returns `left join lateral … g` for repositories (alias `r`): `growth`, the slope in bytes per day of a least-squares line
 * through the used bytes of the last days, and `full_at`, the time at which that line reaches the capacity.
 */
export function forecast(now: Date): SQL {
  return sql`left join lateral (
      select round(regr_slope(y.used_bytes, y.day - ${now}::date))::bigint as growth from repository_days y
      where y.provider_id = r.provider_id and y.repository_id = r.id and y.day > ${now}::date - ${FORECAST_DAYS}::int
      having count(y.used_bytes) >= ${DAYS_MIN}) s on true
    left join lateral (
      select s.growth, case when ${LEFT_BYTES} <= 0 then r.read_at
        when s.growth > 0 and ${LEFT_BYTES} / s.growth <= ${HORIZON_DAYS}
        then r.read_at + make_interval(secs => 86400.0 * ${LEFT_BYTES} / s.growth) end as full_at) g on true`;
}

const LEFT_BYTES = sql`(r.capacity_bytes - r.used_bytes)::float8`;

/** The fill level of a repository (alias `r`), 0 to 1; `null` if its capacity is unknown or unlimited. */
export const USED_RATIO: SQL = sql`(case when r.capacity_bytes > 0 and r.used_bytes is not null
  then least(greatest(r.used_bytes::float8 / r.capacity_bytes, 0), 1) end)`;
