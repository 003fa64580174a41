import { expect, it } from 'vitest'
import { parseDisks } from '../../../server/inspect/subjects/disks.ts'
import { parseHardware } from '../../../server/inspect/subjects/hardware.ts'
import { parseNetwork } from '../../../server/inspect/subjects/network.ts'
import { parseOpenFiles } from '../../../server/inspect/subjects/openFiles.ts'
import { parsePackages } from '../../../server/inspect/subjects/packages.ts'
import { parseFreeBsd, parseLaunchd } from '../../../server/inspect/subjects/units.ts'

// Written after the manuals, and not recorded: tests/support/inspect/README.md.

const section = (name: string, ...lines: string[]) => `\u001e${name}\n${lines.join('\n')}\n`

it('the network of FreeBSD has addresses, counters, routes, ports with their programs, and peers', () => {
  const output =
    section(
      'plain',
      'vtnet0: flags=1008843<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST,LOWER_UP> metric 0 mtu 1500',
      '\tether 58:9c:fc:00:11:22',
      '\tinet 192.0.2.7 netmask 0xffffff00 broadcast 192.0.2.255',
      '\tinet6 fe80::5a9c:fcff:fe00:1122%vtnet0 prefixlen 64 scopeid 0x1',
    ) +
    section(
      'traffic',
      'Name    Mtu Network       Address              Ipkts Ierrs Idrop     Ibytes    Opkts Oerrs     Obytes  Coll',
      'vtnet0 1500 <Link#1>      58:9c:fc:00:11:22     1000     1     2     123456      900     3      65432     0',
      'vtnet0    - 192.0.2.0/24  192.0.2.7              990     -     -     120000      890     -      64000     -',
    ) +
    section(
      'table',
      'Routing tables',
      'Internet:',
      'Destination        Gateway            Flags     Netif Expire',
      'default            192.0.2.1          UGS      vtnet0',
      '192.0.2.0/24       link#1             U        vtnet0',
      'Internet6:',
      'Destination                       Gateway                       Flags     Netif Expire',
      'fe80::/10                         ::1                           UGRS        lo0',
    ) +
    section('connections', 'tcp4       0      0 192.0.2.7.22           198.51.100.4.51234     ESTABLISHED') +
    section(
      'sockstat',
      'USER     COMMAND    PID   FD PROTO  LOCAL ADDRESS         FOREIGN ADDRESS',
      'root     sshd       804   4  tcp4   *:22                  *:*',
      'root     my daemon  810   3  udp46  *:514                 *:*',
    )
  expect(parseNetwork(output)).toEqual([
    {
      kind: 'interface',
      name: 'vtnet0',
      state: 'UP',
      addresses: ['192.0.2.7/24', 'fe80::5a9c:fcff:fe00:1122/64'],
      mac: '58:9c:fc:00:11:22',
      mtu: 1500,
      received: 123_456,
      sent: 65_432,
      errors: 4,
      dropped: 2,
    },
    { kind: 'route', name: 'default', gateway: '192.0.2.1', device: 'vtnet0' },
    { kind: 'route', name: '192.0.2.0/24', device: 'vtnet0' },
    { kind: 'route', name: 'fe80::/10', gateway: '::1', device: 'lo0' },
    { kind: 'listener', protocol: 'tcp', address: '::', port: 22, program: 'sshd', pid: 804 },
    { kind: 'listener', protocol: 'udp', address: '::', port: 514, program: 'my daemon', pid: 810 },
    { kind: 'peer', address: '198.51.100.4', port: 22, count: 1 },
  ])
})

it('the network of macOS has counters without addresses in their lines, older tables of routes, and lsof', () => {
  const output =
    section(
      'plain',
      'lo0: flags=8049<UP,LOOPBACK,RUNNING,MULTICAST> mtu 16384',
      '\tinet 127.0.0.1 netmask 0xff000000',
    ) +
    section(
      'traffic',
      'Name       Mtu   Network       Address            Ipkts Ierrs     Ibytes    Opkts Oerrs     Obytes  Coll',
      'lo0        16384 <Link#1>                          5000     0     700000     5000     0     700000     0',
    ) +
    section(
      'table',
      'Destination        Gateway            Flags        Refs      Use   Netif Expire',
      'default            192.0.2.1          UGSc           50        0     en0',
    ) +
    section('lsof ports', 'p88', 'ckdc', 'f6', 'PUDP', 'n*:88', 'PTCP', 'n[::1]:88')
  expect(parseNetwork(output)).toEqual([
    expect.objectContaining({ name: 'lo0', addresses: ['127.0.0.1/8'], received: 700_000, dropped: 0 }),
    { kind: 'route', name: 'default', gateway: '192.0.2.1', device: 'en0' },
    { kind: 'listener', protocol: 'udp', address: '::', port: 88, program: 'kdc', pid: 88 },
    { kind: 'listener', protocol: 'tcp', address: '::1', port: 88, program: 'kdc', pid: 88 },
  ])
})

it('disks of FreeBSD have inodes, models and mirrors', () => {
  const output =
    section(
      'df',
      'Filesystem  1024-blocks    Used    Avail Capacity  Mounted on',
      '/dev/ada0p2    20307196 4000000 14682624    21%    /',
      'devfs                 1       1        0   100%    /dev',
    ) +
    section(
      'inodes',
      'Filesystem  1K-blocks    Used    Avail Capacity iused   ifree %iused  Mounted on',
      '/dev/ada0p2  20307196 4000000 14682624    21%  200000 2422014    8%   /',
    ) +
    section('mounts', '/dev/ada0p2\t\t/\t\t\tufs\trw\t\t1 1', 'devfs\t\t\t/dev\t\t\tdevfs\trw\t\t0 0') +
    section(
      'geom',
      'Geom name: ada0',
      'Providers:',
      '1. Name: ada0',
      '   Mediasize: 500107862016 (466G)',
      '   descr: WDC WD5000AAKX-001CA0',
      '   ident: WD-WCAYUN123456',
      '   rotationrate: 7200',
      'Geom name: vtbd0',
      '   Mediasize: 1073741824 (1.0G)',
      '   descr: (null)',
      '   rotationrate: unknown',
    ) +
    section('gmirror', 'mirror/gm0  DEGRADED  ada0 (ACTIVE)', 'mirror/gm0  DEGRADED  ada1 (SYNCHRONIZING, 5%)')
  expect(parseDisks(output)).toEqual([
    expect.objectContaining({ name: '/', type: 'ufs', options: 'rw', inodes: 2_622_014, inodes_used: 200_000 }),
    {
      kind: 'device',
      name: 'ada0',
      size: 500_107_862_016,
      is_rotating: true,
      model: 'WDC WD5000AAKX-001CA0',
      serial: 'WD-WCAYUN123456',
    },
    { kind: 'device', name: 'vtbd0', size: 1_073_741_824 },
    { kind: 'raid', name: 'mirror/gm0', type: 'gmirror', state: 'DEGRADED', is_degraded: true },
  ])
})

it('file systems of macOS have what mount says of them, and read-only ones are known', () => {
  const output =
    section(
      'df',
      '/dev/disk3s1s1  239362496 9000000 50000000 16% /',
      '/dev/disk3s5 239362496 1 2 3% /System/Volumes/Data',
    ) +
    section(
      'inodes',
      'Filesystem 1024-blocks Used Available Capacity iused ifree %iused  Mounted on',
      '/dev/disk3s1s1 239362496 9000000 50000000 16% 400000 500000000 0% /',
    ) +
    section('mounts') +
    section(
      'mount',
      '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)',
      '/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled)',
    )
  expect(parseDisks(output)).toEqual([
    expect.objectContaining({
      name: '/',
      type: 'apfs',
      options: 'ro,sealed,local,read-only,journaled',
      inodes_used: 400_000,
    }),
    expect.objectContaining({ name: '/System/Volumes/Data', options: 'local,journaled' }),
  ])
})

it('services of FreeBSD are those with a status, and jobs of launchd those that run or do not', () => {
  const services = [
    'FreeBSD',
    '/etc/rc.d/hostid|',
    '/etc/rc.d/sshd|sshd is running as pid 804.',
    '/usr/local/etc/rc.d/nginx|nginx is not running.',
  ]
  expect(parseFreeBsd(services.join('\n'))).toMatchObject([
    { name: 'sshd', state: 'active', pid: 804, file_state: 'enabled' },
    { name: 'nginx', state: 'inactive', sub_state: 'stopped' },
  ])
  const jobs = ['launchd', 'PID\tStatus\tLabel', '812\t0\tcom.openssh.sshd', '-\t78\tcom.example.job']
  expect(parseLaunchd(jobs.join('\n'))).toEqual([
    { name: 'com.openssh.sshd', description: '', state: 'active', sub_state: 'running', pid: 812 },
    { name: 'com.example.job', description: '', state: 'inactive', sub_state: 'exit 78' },
  ])
})

it('updates of FreeBSD with a known weakness are for security, and macOS lists what it has found', () => {
  const freebsd =
    section(
      'pkg',
      'curl-8.9.1   <   needs updating (remote has 8.10.0)',
      'nano-8.0     <   needs updating (remote has 8.1)',
    ) +
    section('pkg audit', 'curl-8.9.1') +
    section('reboot', 'kernel 14.1-RELEASE-p5')
  expect(parsePackages(freebsd)).toEqual([
    { kind: 'reboot', name: 'kernel 14.1-RELEASE-p5' },
    { kind: 'update', name: 'curl', installed: '8.9.1', available: '8.10.0', is_security: true },
    { kind: 'update', name: 'nano', installed: '8.0', available: '8.1', is_security: false },
  ])
  const macos = section(
    'macOS',
    'Software Update Tool',
    'Software Update found the following new or updated software:',
    '* Label: macOS Sonoma 14.5-23F79',
    '\tTitle: macOS Sonoma 14.5, Version: 14.5, Size: 4000000KiB, Recommended: YES, Action: restart,',
  )
  expect(parsePackages(macos)).toEqual([
    { kind: 'update', name: 'macOS Sonoma 14.5', available: '14.5', is_security: false },
  ])
})

it('hardware of FreeBSD has temperatures and graphics', () => {
  const output =
    section('cpu', 'hw.model: Intel(R) Xeon(R) CPU E3-1270', 'hw.ncpu: 8') +
    section('sysctl', 'dev.cpu.0.temperature: 45.0C', 'hw.acpi.thermal.tz0.temperature: 27.9C') +
    section(
      'pciconf',
      'vgapci0@pci0:0:2:0:\tclass=0x030000 rev=0x06 hdr=0x00 vendor=0x8086 device=0x191d',
      "    vendor     = 'Intel Corporation'",
      "    device     = 'HD Graphics P530'",
      '    class      = display',
    )
  expect(parseHardware(output)).toEqual([
    { kind: 'cpu', name: 'hw.model', value: 'Intel(R) Xeon(R) CPU E3-1270' },
    { kind: 'cpu', name: 'hw.ncpu', value: '8' },
    { kind: 'sensor', part: 'dev.cpu.0', name: 'temperature', value: '45 °C' },
    { kind: 'sensor', part: 'hw.acpi.thermal.tz0', name: 'temperature', value: '27.9 °C' },
    { kind: 'gpu', name: 'vgapci0', value: 'Intel Corporation HD Graphics P530' },
  ])
})

it('what a process holds open is read from /proc and from lsof, and its ports from what listens', () => {
  const linux =
    section(
      'fd',
      'total 0',
      'lrwx------ 1 root root 64 Nov 29 10:00 0 -> /dev/null',
      'l-wx------ 1 root root 64 Nov 29 10:00 12 -> /var/log/a -> b.log',
      'lrwx------ 1 root root 64 Nov 29 10:00 3 -> socket:[4026]',
    ) +
    section(
      'listening',
      'tcp LISTEN 0 128 *:22 *:* users:(("sshd",pid=812,fd=3))',
      'tcp LISTEN 0 1 *:80 *:* users:(("x",pid=9,fd=3))',
    )
  expect(parseOpenFiles(linux, 812)).toEqual([
    { kind: 'port', protocol: 'tcp', address: '::', port: 22 },
    { kind: 'file', descriptor: '0', name: '/dev/null' },
    { kind: 'file', descriptor: '12', name: '/var/log/a -> b.log' },
    { kind: 'file', descriptor: '3', name: 'socket:[4026]' },
  ])
  const macos = section('lsof', 'p812', 'fcwd', 'n/', 'f3', 'n/var/log/system.log')
  expect(parseOpenFiles(macos, 812)).toEqual([
    { kind: 'file', descriptor: 'cwd', name: '/' },
    { kind: 'file', descriptor: '3', name: '/var/log/system.log' },
  ])
})
