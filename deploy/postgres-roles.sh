#!/bin/sh
# Run once by the database's container on an empty volume: the roles of docs/operations.md, each with its own password.
set -eu
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set=owner="$OWNER_PASSWORD" --set=server="$SERVER_PASSWORD" --set=backup="$BACKUP_PASSWORD" <<'SQL'
CREATE ROLE olmos LOGIN PASSWORD :'owner';
CREATE ROLE olmos_server LOGIN PASSWORD :'server';
CREATE ROLE olmos_backup LOGIN REPLICATION PASSWORD :'backup';
CREATE DATABASE olmos OWNER olmos;
SQL
