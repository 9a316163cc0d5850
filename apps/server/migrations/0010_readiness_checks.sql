-- One row, written by each check whether the installation is ready: a database that cannot write is not.
CREATE TABLE readiness_checks (
  id int PRIMARY KEY,
  at timestamptz NOT NULL
);
