#!/bin/sh
# /etc/patroni/bootstrap.sh, owned by postgres, mode 0700. Patroni runs it once, on the first primary.
# Replace the password.
exec psql --set=ON_ERROR_STOP=1 "$1" <<'SQL'
create role backboard login password 'PASSWORD-OF-BACKBOARD';
create database backboard owner backboard encoding 'UTF8' template template0;
SQL
