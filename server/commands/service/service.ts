import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { serverEnvironment, serverMemory } from '../../../scripts/bootstrap/launched.mjs'
import { errorCode } from '../../../src/domain/errors.ts'
import { type Log, StartError } from '../../log.ts'
import type { CommandContext, CommandOptions } from '../configuration/command.ts'

/** Where files go: '' for this system, else the root folder of another one that is not running. */
type Root = string

/**
 * `service install` makes a service of systemd of this program, `service remove` undoes it and keeps the data.
 * With --print the unit is only shown; with --root DIR the system in that folder is changed, and nothing is started.
 */
export function service(action: string, { log }: CommandContext, { print, root }: CommandOptions): void {
  if (action !== 'install' && action !== 'remove') {
    throw new StartError('Say which: wheelhouse service install, or wheelhouse service remove.')
  }
  const base: Root = typeof root === 'string' ? resolve(root) : ''
  // Units are for everybody to read.
  process.umask(0o022)
  if (print) {
    log.info(unitOf(base).trimEnd())
    return
  }
  if (base === '') checkSystem(action)
  else if (!existsSync(base)) throw new StartError(`There is no folder ${base}: name the root folder of a system.`)
  refuseForeignUnit(base)
  if (action === 'install') install(base, log)
  else remove(base, log)
}

function install(root: Root, log: Log): void {
  if (root === '') checkProgram()
  const unit = unitOf(root)
  addUser(root)
  const settings = root + settingsPath
  // It may hold a password.
  if (!existsSync(settings)) write(settings, settingsFile, 0o600)
  write(root + unitPath, unit, 0o644)
  if (root === '') systemctl(root, 'daemon-reload')
  systemctl(root, 'enable', serviceName)
  log.info(`Wrote ${root}${unitPath}; settings are in ${settings}, data in ${root}${dataFolder}.`)
  if (root !== '') {
    log.info('Nothing was started: it starts with that system.')
    return
  }
  systemctl(root, 'restart', serviceName)
  log.info(`The service runs as the user ${serviceUser}. Its log: journalctl --unit wheelhouse`)
  log.info(`The first password is in ${dataFolder}/admin-password.txt until the first sign-in.`)
}

function remove(root: Root, log: Log): void {
  const path = root + unitPath
  if (!existsSync(path)) throw new StartError(`There is no ${path}: nothing to remove.`)
  if (root === '') systemctl(root, 'disable', '--now', serviceName)
  else systemctl(root, 'disable', serviceName)
  rmSync(path)
  if (root === '') systemctl(root, 'daemon-reload')
  log.info(`Removed ${path}.`)
  log.info(`The data stays in ${root}${dataFolder}, and the settings in ${root}${settingsPath}.`)
  const userdel = ['userdel', ...(root ? ['--prefix', root] : []), serviceUser].join(' ')
  log.info(`To delete them too: rm -r ${root}${dataFolder} ${dirname(root + settingsPath)} && ${userdel}`)
}

/** @throws StartError where there is no running systemd, or the caller is not root */
function checkSystem(action: string): void {
  if (!existsSync('/run/systemd/system')) {
    throw new StartError(
      'This machine does not run systemd: start "wheelhouse" with what it has, as a user of its own. --print shows the unit.',
    )
  }
  if (process.getuid?.() === 0) return
  throw new StartError(`Only root can do this: sudo wheelhouse service ${action}. --print shows the unit.`)
}

/** @throws StartError when the service could not read the program */
function checkProgram(): void {
  const advice = 'install the packed file for everybody: npm install --global wheelhouse-<version>.tgz'
  for (const path of programPaths()) {
    if (path.endsWith('.ts')) throw new StartError(`${path} is the program of the project's folder: ${advice}`)
    // The unit hides these folders.
    const isHidden = /^\/(home|root|tmp|var\/tmp|run\/user)\//.test(path)
    if (isHidden || !isReadableByAll(path)) {
      throw new StartError(`${path} cannot be read by the user ${serviceUser}: ${advice}`)
    }
  }
}

function isReadableByAll(path: string): boolean {
  if ((statSync(path).mode & 0o004) === 0) return false
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** Node and the script that it runs. */
const programPaths = () => [process.execPath, realpathSync(process.argv[1] ?? '')] as const

function unitOf(root: Root): string {
  const [node, script] = programPaths()
  const command = [node, ...serverMemory, script]
  return unitFile({ command, environment: serverEnvironment, writable: backupFolders(root + settingsPath) })
}

/** The folder of backups, if the settings name one beside the data folder. */
function backupFolders(settings: string): string[] {
  if (!existsSync(settings)) return []
  const folder = parseEnv(readFileSync(settings, 'utf8')).BACKUP_DIR
  return folder && isAbsolute(folder) && !folder.startsWith(`${dataFolder}/`) ? [folder] : []
}

function refuseForeignUnit(root: Root): void {
  const path = root + unitPath
  if (!existsSync(path) || readFileSync(path, 'utf8').startsWith(writtenByUs)) return
  throw new StartError(`${path} was not written by this command: move it away, then repeat this.`)
}

/** `useradd` ends with it when there is a user of that name. */
const nameInUse = 9

function addUser(root: Root): void {
  const home = ['--home-dir', dataFolder, '--no-create-home', '--shell', '/bin/sh']
  const args = [...(root ? ['--prefix', root] : []), '--system', '--user-group', ...home, serviceUser]
  run('useradd', args, [0, nameInUse])
}

const systemctl = (root: Root, ...args: string[]): void =>
  run('systemctl', [...(root ? [`--root=${root}`] : []), ...args])

/** @throws StartError with what the program said */
function run(program: string, args: readonly string[], good: readonly number[] = [0]): void {
  const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env })
  if (error) throw new StartError(`The program ${program} cannot be run (${errorCode(error)}): install it.`)
  if (status !== null && good.includes(status)) return
  throw new StartError(`${[program, ...args].join(' ')} failed: ${stderr.trim() || `exit code ${status}`}`)
}

function write(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  writeFileSync(path, text, { mode })
}

/** What a unit is made of. */
export interface UnitOptions {
  /** The program and its arguments. */
  command: readonly string[]
  /** Beside the data folder; the file of settings comes after it. */
  environment: Readonly<Record<string, string>>
  /** Folders beside the data folder that the server has to write, as that of backups. */
  writable: readonly string[]
}

const serviceName = 'wheelhouse.service'
const serviceUser = 'wheelhouse'
const dataFolder = '/var/lib/wheelhouse'
const unitPath = `/etc/systemd/system/${serviceName}`
const settingsPath = '/etc/wheelhouse/wheelhouse.env'

/** A file without this line was written by somebody else, and is left alone. */
const writtenByUs = '# Written by "wheelhouse service install", and again each time it runs.'

/**
 * The unit for systemd. Hardened as far as a server allows on which people open terminals: what they may do there is what
 * this user may do, and a file of their own (`systemctl edit wheelhouse`) may allow more.
 */
const unitFile = ({ command, environment, writable }: UnitOptions): string => `${writtenByUs}
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
${Object.entries(environment)
  .map(([name, value]) => `Environment=${name}=${value}\n`)
  .join('')}EnvironmentFile=-${settingsPath}
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
const settingsFile = `# Settings of Wheelhouse; "wheelhouse --help" explains them all. After a change: systemctl restart wheelhouse
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
