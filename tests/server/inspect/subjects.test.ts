import { describe, expect, it } from 'vitest'
import { parseContainerLog, parseContainers } from '../../../server/inspect/subjects/containers.ts'
import { parseDisks } from '../../../server/inspect/subjects/disks.ts'
import { parseHardware } from '../../../server/inspect/subjects/hardware.ts'
import { isLogFile, parseJournal } from '../../../server/inspect/subjects/logs.ts'
import { parseNetwork } from '../../../server/inspect/subjects/network.ts'
import { parsePackages } from '../../../server/inspect/subjects/packages.ts'
import { parseOpenRc, parseSystemd } from '../../../server/inspect/subjects/units.ts'

const section = (name: string, ...lines: string[]) => `\u001e${name}\n${lines.join('\n')}\n`
const id = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90'
const other = `b${id.slice(1)}`

describe('containers', () => {
  it('of docker have what they take, their health and their project', () => {
    const output =
      section(
        'docker ps',
        `${id}\tweb\tnginx:1.27\tUp 3 hours (healthy)\t0.0.0.0:80->80/tcp, [::]:80->80/tcp`,
        `${other}\tjob\tbusybox\tCreated\t`,
      ) +
      section(
        'docker inspect',
        `${id}\trunning\t4\t"2026-11-27T08:00:00.123456789Z"\t"shop"\thealthy`,
        `${other}\tcreated\t0\t"0001-01-01T00:00:00Z"\tnull\t`,
      ) +
      section('docker stats', `${id}\t150.25%\t1.5GiB / 23.4GiB\t1.2kB / 3MB`)
    expect(parseContainers(output)).toEqual([
      {
        engine: 'docker',
        id: 'a1b2c3d4e5f6',
        name: 'web',
        image: 'nginx:1.27',
        state: 'running',
        status: 'Up 3 hours (healthy)',
        health: 'healthy',
        project: 'shop',
        ports: '0.0.0.0:80->80/tcp, [::]:80->80/tcp',
        restarts: 4,
        started_at: '2026-11-27T08:00:00.123Z',
        cpu: 150.25,
        memory: 1.5 * 1024 ** 3,
        memory_limit: Math.round(23.4 * 1024 ** 3),
        received: 1200,
        sent: 3_000_000,
      },
      expect.objectContaining({ name: 'job', state: 'created', restarts: 0 }),
    ])
  })

  it('of podman are found by their shortened ids; without details the state is in the words', () => {
    const output =
      section(
        'podman ps',
        `${id}\tapp\tlocalhost/app:latest\tUp 2 minutes ago\t`,
        `${other}\tgone\timg\tExited (137) 3 hours ago\t`,
      ) + section('podman stats', `${id.slice(0, 12)}\t0.30%\t12.5MB / 16.4GB\t-- / --`)
    expect(parseContainers(output)).toMatchObject([
      { engine: 'podman', state: 'running', cpu: 0.3, memory: 12_500_000 },
      { name: 'gone', state: 'exited' },
    ])
    expect(parseContainers(output)[0]).not.toHaveProperty('received')
    expect(parseContainers('docker: unknown command\n')).toEqual([])
  })

  it('have logs in the order of time, whichever output a line went to', () => {
    expect(
      parseContainerLog('2026-11-27T08:00:02.1Z second\r\n2026-11-27T08:00:01.1Z first\n').map(
        ({ message }) => message,
      ),
    ).toEqual(['first', 'second'])
    expect(parseContainerLog('Error: no such container\n')).toEqual([{ message: 'Error: no such container' }])
  })
})

describe('units', () => {
  it('of systemd 239 to 257 are blocks of properties', () => {
    const output = [
      ['i=ssh.service', 'd=OpenBSD Secure Shell server', 'l=loaded', 'a=active', 's=running', 'f=enabled', 'm=5242880'],
      ['e=Fri 2026-11-27 07:00:00 UTC', 'r=2', 'p=812'],
    ]
      .flat()
      .concat('', 'i=gone.service', 'l=not-found', 'a=inactive', 's=dead')
      .concat('', 'd=Daily', 'a=active', 'i=apt.timer', 's=waiting', 'n=Sat 2026-11-28 06:10:01 UTC')
      .concat('', 'i=bad.service', 'a=failed', 's=failed', 'm=18446744073709551615', '')
    expect(parseSystemd(output.join('\n'))).toEqual([
      {
        name: 'ssh.service',
        description: 'OpenBSD Secure Shell server',
        state: 'active',
        sub_state: 'running',
        file_state: 'enabled',
        since: '2026-11-27T07:00:00Z',
        memory: 5_242_880,
        restarts: 2,
        pid: 812,
      },
      {
        name: 'apt.timer',
        description: 'Daily',
        state: 'active',
        sub_state: 'waiting',
        next_run: '2026-11-28T06:10:01Z',
      },
      { name: 'bad.service', description: '', state: 'failed', sub_state: 'failed' },
    ])
    expect(parseSystemd('Unit list\nof another time')).toEqual([])
    // A timer that counts from the start of the machine.
    const timer = 'b=1795780000\n\ni=tmp.timer\na=active\no=1d 15min 2.5s\n'
    expect(parseSystemd(timer)).toMatchObject([{ next_run: new Date(1_795_867_302_000).toISOString() }])
  })

  it('of OpenRC are those of its runlevels', () => {
    const output = `OpenRC
Runlevel: default
 sshd                                                              [  started  ]
 chronyd                                                           [  started 01:02:03 (0) ]
 nginx                                                             [  crashed  ]
Dynamic Runlevel: manual
 docker                                                            [  stopped  ]
`
    expect(parseOpenRc(output).map(({ name, state, file_state }) => [name, state, file_state])).toEqual([
      ['sshd', 'active', 'enabled'],
      ['chronyd', 'active', 'enabled'],
      ['nginx', 'failed', 'enabled'],
      ['docker', 'inactive', 'disabled'],
    ])
  })
})

describe('the journal', () => {
  it('has a line of JSON each; bytes and lines that are cut off are shown too', () => {
    const output = [
      '{"__REALTIME_TIMESTAMP":"1795766400123456","PRIORITY":"3","_SYSTEMD_UNIT":"a.service","SYSLOG_IDENTIFIER":"a","_PID":"7","MESSAGE":"no"}',
      '{"__REALTIME_TIMESTAMP":"1795766401000000","MESSAGE":[104,195,164]}',
      '{"__REALTIME_TIMESTAMP":"1795766402000000","MESSAGE":null}',
      '{"__REALTIME_TIMESTAMP":"17957',
    ].join('\n')
    expect(parseJournal(output)).toEqual([
      { at: '2026-11-27T08:00:00.123Z', priority: 3, unit: 'a.service', identifier: 'a', pid: 7, message: 'no' },
      { at: '2026-11-27T08:00:01.000Z', message: 'hä' },
      { at: '2026-11-27T08:00:02.000Z', message: '' },
      { message: '{"__REALTIME_TIMESTAMP":"17957' },
    ])
  })

  it('is beside files, all of them below /var/log', () => {
    expect(isLogFile('/var/log/nginx/access.log')).toBe(true)
    for (const path of ['/etc/shadow', '/var/log/../../etc/shadow', '/var/log/./x', '/var/log//x', '/var/log', 'x']) {
      expect(isLogFile(path), path).toBe(false)
    }
  })
})

describe('disks', () => {
  it('have file systems with their inodes and options, devices with SMART, and arrays', () => {
    const smart = {
      smart_status: { passed: false },
      temperature: { current: 41 },
      power_on_time: { hours: 12_000 },
      ata_smart_attributes: { table: [{ id: 5, raw: { value: 8 } }] },
    }
    const output =
      section(
        'df',
        'Filesystem     1024-blocks     Used Available Capacity Mounted on',
        '/dev/sda2         41152736 30000000   9034156      77% /',
        '//nas/share with blanks  1000  600 400 60% /mnt/my share',
        'udev               1973428        0   1973428       0% /dev',
      ) +
      section(
        'inodes',
        'Filesystem  Inodes IUsed IFree IUse% Mounted on',
        '/dev/sda2  2621440 400000 2221440 16% /',
        '//nas/share with blanks 0 0 0 - /mnt/my share',
      ) +
      section(
        'mounts',
        'udev /dev devtmpfs rw 0 0',
        '/dev/sda2 / ext4 rw,relatime 0 0',
        String.raw`//nas/share\040with\040blanks /mnt/my\040share cifs rw 0 0`,
      ) +
      section(
        'devices',
        'NAME="sda" TYPE="disk" SIZE="42949672960" ROTA="1" TRAN="sata" SERIAL="S1" MODEL="WDC WD40 "',
        'NAME="sr0" TYPE="rom" SIZE="1" ROTA="1" TRAN="" SERIAL="" MODEL=""',
      ) +
      section('smart /dev/sda', JSON.stringify(smart)) +
      section('smart /dev/sdb', 'smartctl: permission denied') +
      section(
        'mdstat',
        'Personalities : [raid1]',
        'md0 : active raid1 sdb1[1] sda1[0](F)',
        '      41910272 blocks super 1.2 [2/1] [U_]',
        '      [==>..................]  recovery = 12.6% (5280000/41910272) finish=3.2min speed=190000K/sec',
        'md1 : active raid5 sdc1[2] sdd1[1] sde1[0]',
        '      83820544 blocks level 5 [3/3] [UUU]',
        'unused devices: <none>',
      ) +
      section('zpool', 'tank\tDEGRADED', 'fast\tONLINE') +
      section(
        'btrfs',
        "Label: 'data'  uuid: 1234-5678",
        '\tTotal devices 2 FS bytes used 1.00GiB',
        '\t*** Some devices missing',
      )
    expect(parseDisks(output)).toEqual([
      {
        kind: 'filesystem',
        name: '/',
        device: '/dev/sda2',
        type: 'ext4',
        options: 'rw,relatime',
        size: 41_152_736 * 1024,
        used: 30_000_000 * 1024,
        free: 9_034_156 * 1024,
        inodes: 2_621_440,
        inodes_used: 400_000,
      },
      expect.objectContaining({ name: '/mnt/my share', device: '//nas/share with blanks', type: 'cifs' }),
      {
        kind: 'device',
        name: 'sda',
        model: 'WDC WD40',
        serial: 'S1',
        size: 42_949_672_960,
        is_rotating: true,
        transport: 'sata',
        healthy: false,
        temperature: 41,
        hours: 12_000,
        reallocated: 8,
      },
      {
        kind: 'raid',
        name: 'md0',
        type: 'md',
        state: 'active raid1 [U_]',
        is_degraded: true,
        activity: 'recovery = 12.6%',
      },
      { kind: 'raid', name: 'md1', type: 'md', state: 'active raid5 [UUU]', is_degraded: false },
      { kind: 'raid', name: 'tank', type: 'zfs', state: 'DEGRADED', is_degraded: true },
      { kind: 'raid', name: 'fast', type: 'zfs', state: 'ONLINE', is_degraded: false },
      { kind: 'raid', name: 'data', type: 'btrfs', state: 'devices missing', is_degraded: true },
    ])
    expect(parseDisks('df: not found\n')).toEqual([])
  })
})

describe('the network', () => {
  it('is read from iproute2 and ss', () => {
    const counters = { rx: { bytes: 10, errors: 1, dropped: 2 }, tx: { bytes: 20, errors: 0, dropped: 0 } }
    const eth0 = { ifname: 'eth0', operstate: 'UP', mtu: 1500, address: '02:fc:00:00:00:01', stats64: counters }
    const addresses = [{ ...eth0, addr_info: [{ local: '192.0.2.2', prefixlen: 24 }] }]
    const output =
      section('addresses', JSON.stringify(addresses)) +
      section('routes', '[{"dst":"default","gateway":"192.0.2.1","dev":"eth0","metric":100,"flags":[]}]') +
      section('routes6', 'Error: argument "-j" is wrong') +
      section(
        'listening',
        'tcp LISTEN 0 511 127.0.0.1:4310 0.0.0.0:* users:(("node",pid=10041,fd=22))',
        'tcp LISTEN 0 128 *:22 *:*',
        'udp UNCONN 0 0 [fe80::1]%eth0:546 [::]:*',
      ) +
      section('open', '0 0 10.0.0.5:443 203.0.113.9:51234', '0 0 10.0.0.5:443 203.0.113.9:51235', 'nonsense')
    expect(parseNetwork(output)).toEqual([
      {
        kind: 'interface',
        name: 'eth0',
        state: 'UP',
        addresses: ['192.0.2.2/24'],
        mac: '02:fc:00:00:00:01',
        mtu: 1500,
        received: 10,
        sent: 20,
        errors: 1,
        dropped: 2,
      },
      { kind: 'route', name: 'default', gateway: '192.0.2.1', device: 'eth0', metric: 100 },
      { kind: 'listener', protocol: 'tcp', address: '127.0.0.1', port: 4310, program: 'node', pid: 10_041 },
      { kind: 'listener', protocol: 'tcp', address: '::', port: 22 },
      { kind: 'listener', protocol: 'udp', address: 'fe80::1', port: 546 },
      { kind: 'peer', address: '203.0.113.9', port: 443, count: 2 },
    ])
  })

  it('is read from busybox and netstat', () => {
    const busybox =
      section(
        'plain',
        '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue qlen 1000',
        '    inet 127.0.0.1/8 scope host lo',
        '2: eth0@if7: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state UP ',
        '    link/ether 02:42:ac:11:00:02 brd ff:ff:ff:ff:ff:ff',
        '    inet 172.17.0.2/16 brd 172.17.255.255 scope global eth0',
      ) +
      section(
        'netstat',
        'Active Internet connections (only servers)',
        'tcp        0      0 0.0.0.0:22              0.0.0.0:*               LISTEN      812/sshd',
        'udp        0      0 :::53                   :::*                                900/dnsmasq',
      )
    expect(parseNetwork(busybox)).toEqual([
      { kind: 'interface', name: 'lo', state: 'UP', mtu: 65_536, addresses: ['127.0.0.1/8'] },
      {
        kind: 'interface',
        name: 'eth0',
        state: 'UP',
        mtu: 1500,
        addresses: ['172.17.0.2/16'],
        mac: '02:42:ac:11:00:02',
      },
      { kind: 'listener', protocol: 'tcp', address: '0.0.0.0', port: 22, program: 'sshd', pid: 812 },
      { kind: 'listener', protocol: 'udp', address: '::', port: 53, program: 'dnsmasq', pid: 900 },
    ])
  })
})

describe('updates that wait', () => {
  it.each([
    [
      'Debian 12',
      section('apt', 'Listing...', 'bash/stable 5.2.15-2+b13 amd64 [upgradable from: 5.2.15-2+b8]') +
        section('reboot', 'linux-image-6.1.0-32-amd64', 'linux-image-6.1.0-32-amd64'),
      [
        { kind: 'reboot', name: 'linux-image-6.1.0-32-amd64' },
        { kind: 'update', name: 'bash', installed: '5.2.15-2+b8', available: '5.2.15-2+b13', is_security: false },
      ],
    ],
    [
      'Ubuntu 24.04',
      section(
        'apt',
        'openssl/noble-updates,noble-security 3.0.13-0ubuntu3.5 amd64 [upgradable from: 3.0.13-0ubuntu3.4]',
      ),
      [
        {
          kind: 'update',
          name: 'openssl',
          installed: '3.0.13-0ubuntu3.4',
          available: '3.0.13-0ubuntu3.5',
          is_security: true,
        },
      ],
    ],
    [
      'RHEL 9',
      section(
        'dnf',
        'openssl.x86_64        1:3.2.2-6.el9_5.1        baseos',
        'Obsoleting Packages',
        'vim-minimal.x86_64 2:8.2-21.el9 baseos',
      ) + section('dnf security', 'RHSA-2025:1330 Moderate/Sec. openssl-3.2.2-6.el9_5.1.x86_64'),
      [
        { kind: 'update', name: 'openssl', available: '1:3.2.2-6.el9_5.1', is_security: true },
        { kind: 'update', name: 'vim-minimal', available: '2:8.2-21.el9', is_security: false },
      ],
    ],
    [
      'Alpine',
      section('apk', 'Installed:                                Available:', 'libcrypto3-3.3.1-r0      < 3.3.2-r1'),
      [{ kind: 'update', name: 'libcrypto3', installed: '3.3.1-r0', available: '3.3.2-r1', is_security: false }],
    ],
    [
      'OpenWrt',
      section('opkg', 'luci-base - 24.086 - 24.100'),
      [{ kind: 'update', name: 'luci-base', installed: '24.086', available: '24.100', is_security: false }],
    ],
    [
      'FreeBSD',
      section('pkg', 'curl-8.9.1                         <   needs updating (remote has 8.10.0)'),
      [{ kind: 'update', name: 'curl', installed: '8.9.1', available: '8.10.0', is_security: false }],
    ],
    ['something else', 'E: Could not open lock file\n', []],
  ])('on %s', (_system, output, expected) => {
    expect(parsePackages(output)).toEqual(expected)
  })
})

describe('hardware', () => {
  it('is what each program says that is there', () => {
    const output =
      section('system', 'sys_vendor: Dell Inc.', 'kernel: Linux 6.1.0') +
      section('cpu', 'Architecture:            x86_64', 'Model name:              AMD EPYC', 'Flags: fpu vme') +
      section(
        'memory',
        'Memory Device',
        '\tSize: 16 GB',
        '\tLocator: DIMM_A1',
        '\tType: DDR4',
        'Memory Device',
        '\tSize: No Module Installed',
        '\tLocator: DIMM_A2',
      ) +
      section('sensors', '{"coretemp-isa-0000":{"Adapter":"ISA","Core 0":{"temp2_input":42.5,"temp2_crit":100}}}') +
      section('hwmon', 'coretemp|temp1|42000') +
      section('gpu', '0, NVIDIA L4, 550.54.15, 512 MiB, 23034 MiB, 3 %, 41, 28.03 W') +
      section('nut', 'ups: cellar', 'battery.charge: 98', 'ups.status: OL')
    expect(parseHardware(output)).toEqual([
      { kind: 'system', name: 'sys_vendor', value: 'Dell Inc.' },
      { kind: 'system', name: 'kernel', value: 'Linux 6.1.0' },
      { kind: 'cpu', name: 'Architecture', value: 'x86_64' },
      { kind: 'cpu', name: 'Model name', value: 'AMD EPYC' },
      { kind: 'cpu', name: 'Flags', value: 'fpu vme' },
      { kind: 'memory', part: 'DIMM_A1', name: 'Size', value: '16 GB' },
      { kind: 'memory', part: 'DIMM_A1', name: 'Type', value: 'DDR4' },
      { kind: 'sensor', part: 'coretemp-isa-0000', name: 'Core 0', value: '42.5 °C' },
      { kind: 'gpu', part: '0: NVIDIA L4', name: 'Driver', value: '550.54.15' },
      { kind: 'gpu', part: '0: NVIDIA L4', name: 'Memory used', value: '512 MiB' },
      { kind: 'gpu', part: '0: NVIDIA L4', name: 'Memory', value: '23034 MiB' },
      { kind: 'gpu', part: '0: NVIDIA L4', name: 'Utilization', value: '3 %' },
      { kind: 'gpu', part: '0: NVIDIA L4', name: 'Temperature', value: '41' },
      { kind: 'gpu', part: '0: NVIDIA L4', name: 'Power', value: '28.03 W' },
      { kind: 'ups', part: 'cellar', name: 'battery.charge', value: '98' },
      { kind: 'ups', part: 'cellar', name: 'ups.status', value: 'OL' },
    ])
    expect(parseHardware(section('hwmon', 'coretemp|temp1|42000', 'nct|fan1|'))).toEqual([
      { kind: 'sensor', part: 'coretemp', name: 'temp1', value: '42 °C' },
    ])
  })
})
