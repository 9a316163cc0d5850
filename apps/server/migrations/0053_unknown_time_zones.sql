-- The zone in whose place UTC is stored, because the server no longer knows it; the settings name it until another one is chosen.
ALTER TABLE day_clocks ADD COLUMN unknown_time_zone text;
