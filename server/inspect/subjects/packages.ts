import type { PackageItem } from '../../../src/schemas/inspect/packages.ts'
import { Silence, type Subject, sectionsOf } from '../machine/programs.ts'

/** Nothing is fetched: what the machine's own timer has found is enough, and asking costs nobody else anything. */
const script = String.raw`
if command -v apt-get >/dev/null 2>&1; then
  printf '\036apt\n'
  apt list --upgradable 2>/dev/null
elif command -v dnf >/dev/null 2>&1; then
  printf '\036dnf\n'
  dnf -q -C check-update 2>/dev/null
  printf '\036dnf security\n'
  dnf -q -C updateinfo list --security 2>/dev/null
elif command -v apk >/dev/null 2>&1; then
  printf '\036apk\n'
  apk version -v -l '<' 2>/dev/null
elif command -v opkg >/dev/null 2>&1; then
  printf '\036opkg\n'
  opkg list-upgradable 2>/dev/null
elif command -v pkg >/dev/null 2>&1; then
  printf '\036pkg\n'
  pkg version -URvL= 2>/dev/null
  printf '\036pkg audit\n'
  pkg audit -q 2>/dev/null
elif command -v softwareupdate >/dev/null 2>&1; then
  printf '\036macOS\n'
  softwareupdate --list --no-scan 2>/dev/null
else
  exit 127
fi
printf '\036reboot\n'
if [ -e /var/run/reboot-required ]; then
  cat /var/run/reboot-required.pkgs 2>/dev/null || echo reboot-required
elif command -v needs-restarting >/dev/null 2>&1; then
  needs-restarting -r >/dev/null 2>&1 || echo needs-restarting
elif [ -d /lib/modules ] && [ ! -d "/lib/modules/$(uname -r)" ] && ls /lib/modules | grep -q .; then
  echo "kernel $(uname -r)"
elif command -v freebsd-version >/dev/null 2>&1; then
  installed=$(freebsd-version -k) && [ "$installed" != "$(uname -r)" ] && echo "kernel $installed"
fi
`

export const packages: Subject<PackageItem> = {
  name: 'packages',
  freshMs: 300_000,
  async ask(programs) {
    const { stdout, exit_code, stdout_truncated } = await programs.script(script, [], { seconds: 60 })
    if (exit_code === 127) {
      throw new Silence(
        'no_program',
        'This machine has none of apt, dnf, apk, opkg, pkg and softwareupdate.',
        'apt, dnf, apk, opkg, pkg, softwareupdate',
      )
    }
    return { items: parsePackages(stdout), ...(stdout_truncated && { truncated: true }) }
  },
}

/** The updates that wait, and whether the machine has to be restarted. */
export function parsePackages(output: string): PackageItem[] {
  const sections = sectionsOf(output)
  const lines = (name: string) => sections.get(name) ?? []
  const security = new Set(lines('dnf security').map((line) => line.trim().split(/\s+/).at(-1) ?? ''))
  const vulnerable = new Set(lines('pkg audit').map((line) => line.trim()))
  const restarts = [...new Set(lines('reboot').map((line) => line.trim()))].map(
    (name): PackageItem => ({ kind: 'reboot', name }),
  )
  return [
    ...restarts,
    ...lines('apt').flatMap(updateOfApt),
    ...lines('dnf').flatMap((line) => updateOfDnf(line, security)),
    ...lines('apk').flatMap(updateOfApk),
    ...lines('opkg').flatMap(updateOfOpkg),
    ...lines('pkg').flatMap((line) => updateOfPkg(line, vulnerable)),
    ...updatesOfMacos(lines('macOS')),
  ]
}

/** `openssl/stable-security 3.0.15-1~deb12u1 amd64 [upgradable from: 3.0.14-1~deb12u2]`. */
function updateOfApt(line: string): PackageItem[] {
  const found = /^([^/\s]+)\/(\S+) (\S+) \S+ \[[^:\]]+: ([^\]]+)\]/.exec(line)
  if (!found) return []
  const [, name = '', source = '', available = '', installed = ''] = found
  return [{ kind: 'update', name, installed, available, is_security: /security/i.test(source) }]
}

/** `openssl.x86_64    1:3.2.2-6.el9_5.1    baseos`; obsoleted packages stand below a line of their own. */
function updateOfDnf(line: string, security: ReadonlySet<string>): PackageItem[] {
  const found = /^(\S+)\.(\w+)\s+(\S+)\s+(\S+)\s*$/.exec(line)
  if (!found || /^\s/.test(line)) return []
  const [, name = '', arch = '', available = ''] = found
  // The list of advisories has no epoch: openssl-3.2.2-6.el9_5.1.x86_64.
  const is_security = security.has(`${name}-${available.replace(/^\d+:/, '')}.${arch}`)
  return [{ kind: 'update', name, available, is_security }]
}

/** `openssl-3.3.1-r0    < 3.3.2-r1`. */
function updateOfApk(line: string): PackageItem[] {
  const [old = '', sign, available] = line.split(/\s+/)
  const [, name, installed] = /^(.+?)-(\d.*)$/.exec(old) ?? []
  if (sign !== '<' || !name || !installed || !available) return []
  return [{ kind: 'update', name, installed, available, is_security: false }]
}

/** `luci-base - 24.086 - 24.100`. */
function updateOfOpkg(line: string): PackageItem[] {
  const [name, installed, available] = line.split(' - ')
  if (!name || !installed || !available) return []
  return [{ kind: 'update', name, installed, available: available.trim(), is_security: false }]
}

/** `curl-8.9.1   <   needs updating (remote has 8.10.0)`. */
function updateOfPkg(line: string, vulnerable: ReadonlySet<string>): PackageItem[] {
  const found = /^(\S+)-([^-\s]+)\s+<\s+needs updating \(\w+ has ([^)]+)\)/.exec(line)
  if (!found) return []
  const [, name = '', installed = '', available = ''] = found
  return [{ kind: 'update', name, installed, available, is_security: vulnerable.has(`${name}-${installed}`) }]
}

/** `* Label: macOS Sonoma 14.5-23F79`, below it `Title: macOS Sonoma 14.5, Version: 14.5, Size: ...`. */
function updatesOfMacos(lines: readonly string[]): PackageItem[] {
  return lines.flatMap((line): PackageItem[] => {
    const [, name, available] = /^\s*Title: ([^,]+), Version: ([^,]+),/.exec(line) ?? []
    if (!name || !available) return []
    return [{ kind: 'update', name, available, is_security: /security/i.test(name) }]
  })
}
