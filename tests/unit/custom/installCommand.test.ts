import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  agentAddressOf,
  installCommand,
  isAgentHost,
  isLoopbackHost,
  quoteForPosix,
  quoteForPowerShell,
  systemOf,
} from '../../../src/custom/install/installCommand.ts'

const source = { host: 'panel.example.com:8008', tls: true, secret: 'S3cretKey' }
const uuid = '7c1c0d3e-2222-4222-8333-944445555677'

describe('an install command', () => {
  it('for Linux and macOS fetches the documented script, and runs it as root with the documented values', () => {
    const command =
      'curl -L https://raw.githubusercontent.com/nezhahq/scripts/main/agent/install.sh -o agent.sh && chmod +x agent.sh && ' +
      '$(command -v sudo) env NZ_SERVER=panel.example.com:8008 NZ_TLS=true NZ_CLIENT_SECRET=S3cretKey sh -c '
    expect(installCommand('linux', source).slice(0, command.length)).toBe(command)
    expect(installCommand('macos', source)).toBe(installCommand('linux', source))
  })

  it('for Windows is the documented one where the machine is known', () => {
    expect(installCommand('windows', { ...source, tls: undefined, uuid })).toBe(
      '$env:NZ_SERVER="panel.example.com:8008";$env:NZ_TLS="false";$env:NZ_CLIENT_SECRET="S3cretKey";' +
        `$env:NZ_UUID="${uuid}"; ` +
        '[Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Ssl3 -bor [Net.SecurityProtocolType]::Tls ' +
        '-bor [Net.SecurityProtocolType]::Tls11 -bor [Net.SecurityProtocolType]::Tls12;set-ExecutionPolicy RemoteSigned;' +
        'Invoke-WebRequest https://raw.githubusercontent.com/nezhahq/scripts/main/agent/install.ps1 -OutFile C:\\install.ps1;' +
        'powershell.exe C:\\install.ps1',
    )
  })

  it('for Windows keeps the UUID of an agent that reports here, before the script deletes its settings', () => {
    const command = installCommand('windows', source)
    expect(command).toContain('Get-Content C:\\nezha\\config.yml')
    expect(command.indexOf('$env:NZ_UUID=$Matches[1]')).toBeGreaterThan(command.indexOf('$env:NZ_CLIENT_SECRET='))
    expect(command.indexOf('$env:NZ_UUID=$Matches[1]')).toBeLessThan(command.indexOf('install.ps1'))
  })

  it('gives the agent its switches', () => {
    const switches = ['disable_nat', 'disable_auto_update'] as const
    expect(installCommand('macos', { ...source, switches })).toContain(
      ' NZ_DISABLE_NAT=true NZ_DISABLE_AUTO_UPDATE=true sh -c ',
    )
    expect(installCommand('windows', { ...source, switches })).toContain(
      '$env:NZ_DISABLE_NAT="true";$env:NZ_DISABLE_AUTO_UPDATE="true";',
    )
  })

  it.skipIf(process.platform === 'win32')('for a container runs a shell that fetches and starts the agent', () => {
    const command = installCommand('container', { ...source, secret: "it's", switches: ['disable_nat'] })
    const words = execFileSync('/bin/sh', ['-c', `docker() { printf '%s\\n' "$@"; }; ${command}`], { encoding: 'utf8' })
      .trimEnd()
      .split('\n')
    expect(words.slice(0, 2)).toEqual(['run', '--detach'])
    expect(words).toContain("NZ_CLIENT_SECRET=it's")
    expect(words.slice(-6, -1)).toEqual(['--env', 'NZ_DISABLE_NAT=true', 'alpine:3', 'sh', '-c'])
    expect(execFileSync('/bin/sh', ['-n', '-c', words.at(-1) ?? ''], { encoding: 'utf8' })).toBe('')
    expect(words.at(-1)).toMatch(/exec \.\/nezha-agent -c \/agent\/config\.yml$/)
  })

  it('needs an address and a secret, and says which is missing', () => {
    expect(() => installCommand('linux', { ...source, host: '' })).toThrow('app.install.host_required')
    expect(() => installCommand('linux', { ...source, secret: undefined })).toThrow('app.install.secret_required')
  })
})

describe.skipIf(process.platform === 'win32')('a machine on which an install command runs again', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  /** A machine without an agent. `run` gives it a command; `agents` are those that run, by the name of their file. */
  function machine() {
    const folder = mkdtempSync(join(tmpdir(), 'install-'))
    folders.push(folder)
    const [bin, agentFolder] = [join(folder, 'bin'), join(folder, 'agent')]
    mkdirSync(bin)
    const program = (path: string, lines: string[]) => {
      writeFileSync(path, ['#!/bin/sh', ...lines].join('\n'))
      chmodSync(path, 0o755)
    }
    // Settings come from the file, and above it from the environment; a UUID is made where there is none.
    program(join(folder, 'nezha-agent'), [
      'file=$3; service="$(dirname "$0")/$(basename "$file").service"',
      'if [ "$4" = uninstall ]; then rm -f "$service"; exit; fi',
      '[ "$NZ_UUID" ] || NZ_UUID=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)',
      `printf 'client_secret: %s\\nserver: %s\\nuuid: %s\\n' "$NZ_CLIENT_SECRET" "$NZ_SERVER" "$NZ_UUID" > "$file"`,
      'touch "$service"',
    ])
    // As the real one: settings that are there stay, and new ones are written beside them, with a service of their own.
    program(join(folder, 'install.sh'), [
      `[ -e ${folder}/no-download ] && exit 1`,
      `mkdir -p ${agentFolder}; cp ${folder}/nezha-agent ${agentFolder}/`,
      `path=${agentFolder}/config.yml`,
      `if [ -f "$path" ]; then path=${agentFolder}/config-$(LC_ALL=C tr -dc a-z0-9 </dev/urandom | head -c 5).yml; fi`,
      `${agentFolder}/nezha-agent service -c "$path" uninstall >/dev/null 2>&1`,
      `env NZ_SERVER=$NZ_SERVER NZ_CLIENT_SECRET=$NZ_CLIENT_SECRET NZ_TLS=$NZ_TLS ${agentFolder}/nezha-agent service -c $path install`,
    ])
    program(join(bin, 'curl'), [`cp ${folder}/install.sh "$4"`])
    program(join(bin, 'sudo'), ['exec "$@"'])
    const run = (command: string) => {
      const text = command.replaceAll('/opt/nezha/agent', agentFolder)
      execFileSync('/bin/sh', ['-c', text], { cwd: folder, env: { PATH: `${bin}:${process.env.PATH}` }, stdio: 'pipe' })
    }
    const agents = () =>
      readdirSync(agentFolder)
        .filter((name) => name.endsWith('.yml') && existsSync(join(agentFolder, `${name}.service`)))
        .map((name) => {
          const value = (key: string) =>
            readFileSync(join(agentFolder, name), 'utf8').match(new RegExp(`^${key}: (.*)$`, 'm'))?.[1]
          return { server: value('server'), secret: value('client_secret'), uuid: value('uuid') }
        })
    const files = () => readdirSync(agentFolder).filter((name) => name.endsWith('.yml'))
    return { run, agents, files, breakDownload: () => writeFileSync(join(folder, 'no-download'), '') }
  }

  it('stays one server, with its UUID, also at another address of the console', () => {
    const { run, agents, files } = machine()
    run(installCommand('linux', source))
    const [first] = agents()
    run(installCommand('linux', source))
    run(installCommand('linux', { ...source, host: '[2001:db8::7]:443' }))
    expect(agents()).toEqual([{ ...first, server: '[2001:db8::7]:443' }])
    expect(files()).toHaveLength(1)
  })

  it('stays the server that is re-installed after its secret was renewed', () => {
    const { run, agents, files } = machine()
    run(installCommand('linux', source))
    const [first] = agents()
    run(installCommand('linux', { ...source, secret: 'renewed', uuid: first?.uuid }))
    expect(agents()).toEqual([{ ...first, secret: 'renewed' }])
    expect(files()).toHaveLength(1)
  })

  it('becomes the known server when it was set up anew', () => {
    const { run, agents } = machine()
    run(installCommand('macos', { ...source, uuid }))
    expect(agents()).toEqual([{ server: source.host, secret: source.secret, uuid }])
  })

  it('keeps the agent of another console, and that of somebody else', () => {
    const { run, agents } = machine()
    run(installCommand('linux', { host: 'other.example.com:443', tls: true, secret: 'elsewhere' }))
    const [other] = agents()
    run(installCommand('linux', source))
    run(installCommand('linux', source))
    expect(agents()).toHaveLength(2)
    expect(agents()).toContainEqual(other)
  })

  it('becomes one server again where the script had made two of it, and that is the first', () => {
    const { run, agents, files } = machine()
    const asBefore = `curl -L x -o agent.sh && chmod +x agent.sh && env NZ_SERVER=${source.host} NZ_CLIENT_SECRET=${source.secret} ./agent.sh`
    run(asBefore)
    const [first] = agents()
    run(asBefore)
    expect(agents()).toHaveLength(2)
    run(installCommand('linux', source))
    expect(agents()).toEqual([first])
    expect(files()).toHaveLength(1)
  })

  it('keeps its agent when the new one cannot be installed', () => {
    const { run, agents, breakDownload } = machine()
    run(installCommand('linux', source))
    const before = agents()
    breakDownload()
    expect(() => run(installCommand('linux', source))).toThrow()
    expect(agents()).toEqual(before)
  })

  it('replaces its container only when it is re-installed: Docker refuses a second one of the name', () => {
    expect(installCommand('container', source)).toMatch(/^docker run .*--name nezha-agent/)
    expect(installCommand('container', { ...source, uuid })).toMatch(
      /^docker rm --force nezha-agent; docker run .*NZ_UUID=/,
    )
  })
})

const hostile = [
  "it's; rm -rf ~",
  '$(touch /tmp/owned)',
  '`id`',
  'a"b"$HOME',
  'a b\\c',
  '*?[x]{a,b}~!#&|<>',
  "''",
  '-n',
  'ünïcode “quotes” ‘single’',
]

describe('a value in a command', () => {
  it.skipIf(process.platform === 'win32').each(hostile)('reaches the program unchanged: %s', (value) => {
    const script = `env NZ_SERVER=${quoteForPosix(value)} sh -c 'printf %s "$NZ_SERVER"'`
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(value)
  })

  it('cannot end a PowerShell string, with any quote', () => {
    expect(quoteForPowerShell('a"; calc; "$env:X`')).toBe(`'a"; calc; "$env:X\`'`)
    expect(quoteForPowerShell("a'b‘c’d‚e‛f")).toBe("'a''b‘‘c’’d‚‚e‛‛f'")
  })

  it.each(['a\nb', 'a\u0003b', 'a\u001b[2Jb', 'a\u0000'])('must not contain control characters: %j', (value) => {
    expect(() => quoteForPosix(value)).toThrow('app.install.control_characters')
    expect(() => quoteForPowerShell(value)).toThrow('app.install.control_characters')
  })
})

describe('the system of a known machine', () => {
  it.each([
    ['debian', 'linux'],
    ['arch', 'linux'],
    ['darwin', 'macos'],
    ['Microsoft Windows 11 Pro', 'windows'],
    ['freebsd', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('that reports %s is %s', (platform, system) => {
    expect(systemOf(platform)).toBe(system)
  })
})

describe('the address that agents connect to', () => {
  it.each([
    ['https://console.example.org/dashboard', 'console.example.org:443', true],
    ['http://192.0.2.7:8008/', '192.0.2.7:8008', false],
    ['http://[2001:db8::7]/', '[2001:db8::7]:80', false],
  ])('is that of the page: %s', (page, host, tls) => {
    expect(agentAddressOf(new URL(page))).toEqual({ host, tls })
    expect(isAgentHost(host)).toBe(true)
  })

  it.each(['localhost:8008', '127.0.0.1:8008', '[::1]:80', 'panel.localhost'])('warns about %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true)
  })

  it('is a host that others reach', () => {
    expect(['console.example.org:443', '128.0.0.1', 'localhost.example.org'].filter(isLoopbackHost)).toEqual([])
    expect(['', 'https://console.example.org', 'a b', 'host:port', '::1'].filter(isAgentHost)).toEqual([])
  })
})
