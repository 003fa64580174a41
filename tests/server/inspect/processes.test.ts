import { describe, expect, it } from 'vitest'
import { parseProcesses } from '../../../server/inspect/subjects/processes.ts'

const section = (name: string, lines: readonly string[]) => `\u001e${name}\n${lines.join('\n')}\n`

/** As Debian 12 printed it: procps 4.0.2, systemd, and a container of docker. */
function debian(uptime: number, ticks: number, bytes: number): string {
  const id = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90'
  return [
    section('system', [`${uptime}`, '100', '4096', '1795787435']),
    section('stat', [
      '1 S 0 68 313 0 1 24 3021',
      `812 S 1 ${ticks} 0 -5 4 1500 2048`,
      '2044 R 812 10 5 0 1 9000 100',
      '3001 Z 1 0 0 0 1 9100 0',
    ]),
    section('ps', [
      '    1 root                             /sbin/init',
      '  812 www-data                         nginx: master process /usr/sbin/nginx -g daemon on;',
      ' 2044 postgres                         postgres: writer',
      ' 3001 root                             [sh] <defunct>',
      '9999 root                             ps -ww -e',
    ]),
    section('cgroup', [
      '/proc/1/cgroup:0::/init.scope',
      '/proc/812/cgroup:0::/system.slice/nginx.service',
      `/proc/2044/cgroup:0::/system.slice/docker-${id}.scope`,
    ]),
    section('io', [`/proc/812/io:read_bytes: ${bytes}`, '/proc/812/io:write_bytes: 0']),
  ].join('')
}

describe('what a machine says about its processes', () => {
  it('is read from procps and /proc, with the unit or the container of each', () => {
    const { items } = parseProcesses(debian(1000, 200, 4096))
    expect(items).toHaveLength(4)
    expect(items[1]).toEqual({
      pid: 812,
      ppid: 1,
      user: 'www-data',
      state: 'S',
      nice: -5,
      threads: 4,
      cpu: 0.2,
      memory: 2048 * 4096,
      started_at: 1795787435 + 15,
      started: '1500',
      command: 'nginx: master process /usr/sbin/nginx -g daemon on;',
      unit: 'nginx.service',
    })
    expect(items[2]).toMatchObject({ pid: 2044, container: 'a1b2c3d4e5f6', command: 'postgres: writer' })
    expect(items[2]).not.toHaveProperty('unit')
    expect(items[3]).toMatchObject({ state: 'Z', command: '[sh] <defunct>' })
  })

  it('has rates since it was looked at before', () => {
    const before = parseProcesses(debian(1000, 200, 4096))
    const [, nginx] = parseProcesses(debian(1010, 700, 14_096), before).items
    // Five seconds of the processor in ten seconds.
    expect(nginx).toMatchObject({ cpu: 50, read_speed: 1000, write_speed: 0 })
  })

  it('does not compare a process with another that had its number', () => {
    const before = parseProcesses(debian(1000, 900_000, 4096))
    const reused = debian(1010, 100, 0).replace('-5 4 1500', '-5 4 100900')
    expect(parseProcesses(reused, before).items[1]).toMatchObject({ pid: 812, cpu: 100 })
  })

  it('is read from busybox, which has headings and no groups', () => {
    const output = [
      section('system', ['5000.10', '100', '4096', '1795780000']),
      section('stat', ['1 S 0 10 20 0 1 5 300', '2101 S 1 5 5 0 1 90000 2500']),
      section('ps', ['PID   USER     COMMAND', '    1 root     /sbin/procd', ' 2101 network  /usr/sbin/netifd']),
      section('cgroup', []),
      section('io', []),
    ].join('')
    expect(parseProcesses(output).items.map(({ pid, user, command }) => [pid, user, command])).toEqual([
      [1, 'root', '/sbin/procd'],
      [2101, 'network', '/usr/sbin/netifd'],
    ])
  })

  it('is read from FreeBSD, which has no /proc', () => {
    const at = 1_795_790_000
    const output = (time: string) =>
      `${at}\n\u001ebsd\n    1     0 root     I     0  1212  3-02:10:05    0:00.12 /sbin/init\n` +
      ` 1203     1 www      S     5 20480       01:40    ${time} nginx: worker process (nginx)\n`
    const { items } = parseProcesses(output('0:50.00'))
    expect(items).toMatchObject([
      { pid: 1, started_at: at - 3 * 86_400 - 2 * 3600 - 605, command: '/sbin/init' },
      { pid: 1203, ppid: 1, user: 'www', nice: 5, memory: 20_480 * 1024, cpu: 50, started_at: at - 100 },
    ])
    expect(items[1]).not.toHaveProperty('started')
  })

  it('may be anything else, which is no process and no error', () => {
    for (const output of ['', 'sh: 1: Syntax error', '\u001estat\nx y\n\u001eps\n', '\u001ebsd\nPID TT\n']) {
      expect(parseProcesses(output).items).toEqual([])
    }
    // Cut off in the middle of the names.
    const whole = debian(1000, 200, 4096)
    const cut = whole.slice(0, whole.indexOf('postgres: writer'))
    expect(parseProcesses(cut).items.map(({ pid }) => pid)).toEqual([1, 812, 2044])
  })
})
