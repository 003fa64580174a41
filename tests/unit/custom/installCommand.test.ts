import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { agentAddressOf, isAgentHost, isLoopbackHost } from '../../../src/custom/actions/install/agentAddress.ts'
import { installCommand, systemOf } from '../../../src/custom/actions/install/installCommand.ts'
import { quoteForPosix, quoteForPowerShell } from '../../../src/custom/actions/install/shellQuote.ts'

const source = { host: 'panel.example.com:8008', tls: true, secret: 'S3cretKey' }
const uuid = '7c1c0d3e-2222-4222-8333-944445555677'

describe('an install command', () => {
  it('for Linux and macOS is the documented one', () => {
    const command =
      'curl -L https://raw.githubusercontent.com/nezhahq/scripts/main/agent/install.sh -o agent.sh && chmod +x agent.sh && ' +
      'env NZ_SERVER=panel.example.com:8008 NZ_TLS=true NZ_CLIENT_SECRET=S3cretKey ./agent.sh'
    expect(installCommand('linux', source)).toBe(command)
    expect(installCommand('macos', source)).toBe(command)
  })

  it('for Windows is the documented one', () => {
    expect(installCommand('windows', { ...source, tls: undefined })).toBe(
      '$env:NZ_SERVER="panel.example.com:8008";$env:NZ_TLS="false";$env:NZ_CLIENT_SECRET="S3cretKey"; ' +
        '[Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Ssl3 -bor [Net.SecurityProtocolType]::Tls ' +
        '-bor [Net.SecurityProtocolType]::Tls11 -bor [Net.SecurityProtocolType]::Tls12;set-ExecutionPolicy RemoteSigned;' +
        'Invoke-WebRequest https://raw.githubusercontent.com/nezhahq/scripts/main/agent/install.ps1 -OutFile C:\\install.ps1;' +
        'powershell.exe C:\\install.ps1',
    )
  })

  it('contains the uuid of a known machine', () => {
    expect(installCommand('linux', { ...source, uuid })).toContain(` NZ_UUID=${uuid} ./agent.sh`)
    expect(installCommand('windows', { ...source, uuid })).toContain(`$env:NZ_UUID="${uuid}"; [Net`)
  })

  it('gives the agent its switches, on Linux as root where the script would drop one', () => {
    const onlyCommands = { ...source, switches: ['disable_command_execute'] as const }
    expect(installCommand('linux', onlyCommands)).toContain(
      '&& env NZ_SERVER=panel.example.com:8008 NZ_TLS=true NZ_CLIENT_SECRET=S3cretKey NZ_DISABLE_COMMAND_EXECUTE=true ./agent.sh',
    )
    const noTunnels = { ...source, switches: ['disable_nat', 'disable_auto_update'] as const }
    expect(installCommand('macos', noTunnels)).toMatch(
      /&& \$\(command -v sudo\) env NZ_SERVER=.* NZ_DISABLE_NAT=true NZ_DISABLE_AUTO_UPDATE=true \.\/agent\.sh$/,
    )
    expect(installCommand('windows', noTunnels)).toContain(
      '$env:NZ_DISABLE_NAT="true";$env:NZ_DISABLE_AUTO_UPDATE="true"; [Net',
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
