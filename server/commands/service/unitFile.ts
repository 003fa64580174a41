/** What a unit is made of. */
export interface UnitOptions {
  /** The program and its arguments. */
  command: readonly string[]
  /** Folders beside the data folder that the server has to write, as that of backups. */
  writable: readonly string[]
}

export const serviceName = 'wheelhouse.service'
export const serviceUser = 'wheelhouse'
export const dataFolder = '/var/lib/wheelhouse'
export const unitPath = `/etc/systemd/system/${serviceName}`
export const settingsPath = '/etc/wheelhouse/wheelhouse.env'

/** A file without this line was written by somebody else, and is left alone. */
export const writtenByUs = '# Written by "wheelhouse service install", and again each time it runs.'

/**
 * The unit for systemd. Hardened as far as a server allows on which people open terminals: what they may do there is what
 * this user may do, and a file of their own (`systemctl edit wheelhouse`) may allow more.
 */
export const unitFile = ({ command, writable }: UnitOptions): string => `${writtenByUs}
# Change settings in ${settingsPath}, and anything else with: systemctl edit wheelhouse
[Unit]
Description=Wheelhouse, a console for servers
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
User=${serviceUser}
Group=${serviceUser}
ExecStart=${command.map(quoted).join(' ')}
Environment=DATA_DIR=${dataFolder}
EnvironmentFile=-${settingsPath}
StateDirectory=wheelhouse
StateDirectoryMode=0700
WorkingDirectory=${dataFolder}
UMask=0077
Restart=on-failure
RestartSec=2
# The leader of a cluster hands over, which may take 25 seconds.
TimeoutStopSec=30
# Each agent and each open page is a connection.
LimitNOFILE=65536

# A port below 1024, and nothing else that only root may do.
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
${writable.map((folder) => `ReadWritePaths=${quoted(`-${folder}`)}\n`).join('')}ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy=multi-user.target
`

/** The settings as they are before somebody changes them. */
export const settingsFile = `# Settings of Wheelhouse; "wheelhouse --help" explains them all. After a change: systemctl restart wheelhouse
# (after one of BACKUP_DIR: wheelhouse service install). Look at the result with
# wheelhouse doctor --env ${settingsPath}
DATA_DIR=${dataFolder}
PORT=8008
#PUBLIC_URL=https://console.example.org
#BACKUP_DIR=${dataFolder}/backups
#BACKUP_KEEP=7
`

/** A word as systemd reads it: without variables and specifiers. */
const quoted = (word: string) =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`
