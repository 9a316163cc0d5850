-- One row, written whenever somebody asks whether the installation is ready: a database that cannot write is not.
CREATE TABLE readiness_checks (
  id int PRIMARY KEY,
  at timestamptz NOT NULL
);
