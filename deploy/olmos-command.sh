#!/bin/sh
# For /usr/local/sbin/olmos: a command of the store with the settings and the user of its service, as in `olmos doctor`.
exec systemd-run --quiet --pipe --wait --collect \
  --property=User=olmos --property=Group=olmos --property=EnvironmentFile=/etc/olmos/olmos.env \
  --property=WorkingDirectory=/var/lib/olmos --property=UMask=0077 \
  --setenv=NODE_ENV=production --setenv=TMPDIR=/var/lib/olmos \
  /opt/olmos/bin/olmos "$@"
