#!/bin/sh
# Run once by the database's container on an empty volume: the roles of docs/operations.md, each with its own password.
# psql reads the passwords from its environment, because a list of processes shows arguments.
set -eu
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv owner OWNER_PASSWORD
\getenv server SERVER_PASSWORD
\getenv backup BACKUP_PASSWORD
CREATE ROLE olmos LOGIN PASSWORD :'owner';
CREATE ROLE olmos_server LOGIN PASSWORD :'server';
CREATE ROLE olmos_backup LOGIN REPLICATION PASSWORD :'backup';
CREATE DATABASE olmos OWNER olmos;
SQL
