import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../support/server/process/runCli.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const hasSystemd = process.platform === 'linux' && has('systemctl', '--version')
const unitPath = 'etc/systemd/system/wheelhouse.service'
const linkPath = 'etc/systemd/system/multi-user.target.wants/wheelhouse.service'
const settingsPath = 'etc/wheelhouse/wheelhouse.env'

/** The root folder of a system that does not run. */
function system(): string {
  const root = temporaryFolder()
  mkdirSync(join(root, 'etc'))
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n')
  return root
}

const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

describe('service', () => {
  it('shows the unit and changes nothing', async () => {
    const { stdout, code } = await runCli(['service', 'install', '--print'])
    expect(code).toBe(0)
    expect(stdout).toContain(`ExecStart="${process.execPath}" "`)
    // A server that has hashed many passwords at once gives the memory back.
    expect(stdout).toContain('\nEnvironment=MALLOC_MMAP_THRESHOLD_=1048576\nEnvironmentFile=')
    for (const line of ['User=wheelhouse', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'StateDirectory=wheelhouse'])
      expect(stdout.split('\n')).toContain(line)
  })

  it.each([
    [['service', 'start'], 'Say which: wheelhouse service install, or wheelhouse service remove.'],
    [['service', 'install', '--root', '/nowhere/at/all'], 'There is no folder /nowhere/at/all'],
    [['service'], 'Say which: wheelhouse service install|remove'],
  ])('refuses %j with a sentence', async (args, words) => {
    const { code, stderr } = await runCli(args)
    expect(code).not.toBe(0)
    expect(stderr).toContain(words)
  })

  it.runIf(!existsSync('/run/systemd/system'))('refuses a machine without systemd', async () => {
    const refused = await runCli(['service', 'install'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not run systemd') })
  })

  it.runIf(hasSystemd)('installs into the system of a folder, and removes all but data and settings', async () => {
    const root = system()
    expect(await runCli(['service', 'install', '--root', root])).toMatchObject({ code: 0, stderr: '' })
    expect(read(root, 'etc/passwd')).toMatch(/^wheelhouse:[^:]*:\d+:\d+::\/var\/lib\/wheelhouse:\/bin\/sh$/m)
    expect(statSync(join(root, unitPath)).mode & 0o777).toBe(0o644)
    expect(statSync(join(root, settingsPath)).mode & 0o777).toBe(0o600)
    expect(lstatSync(join(root, linkPath)).isSymbolicLink()).toBe(true)
    expect(readlinkSync(join(root, linkPath))).toMatch(/wheelhouse\.service$/)
    expect(read(root, settingsPath)).toContain('DATA_DIR=/var/lib/wheelhouse\n')

    const { stdout, code } = await runCli(['service', 'remove', '--root', root])
    expect(code).toBe(0)
    expect(stdout).toContain(`The data stays in ${root}/var/lib/wheelhouse`)
    expect(stdout).toContain(
      `rm -r ${root}/var/lib/wheelhouse ${root}/etc/wheelhouse && userdel --prefix ${root} wheelhouse`,
    )
    expect(existsSync(join(root, unitPath))).toBe(false)
    expect(lstatSync(join(root, linkPath), { throwIfNoEntry: false })).toBeUndefined()
    expect(existsSync(join(root, settingsPath))).toBe(true)
    expect((await runCli(['service', 'remove', '--root', root])).stderr).toContain('nothing to remove')
  })

  it.runIf(hasSystemd)(
    'keeps settings and user when it runs again, and lets the service write its backups',
    async () => {
      const root = system()
      await runCli(['service', 'install', '--root', root])
      writeFileSync(join(root, settingsPath), 'PORT=9000\nBACKUP_DIR="/mnt/back up"\n')
      expect(await runCli(['service', 'install', '--root', root])).toMatchObject({ code: 0, stderr: '' })
      expect(read(root, settingsPath)).toContain('PORT=9000')
      expect(read(root, unitPath)).toContain('\nReadWritePaths="-/mnt/back up"\n')
      expect(read(root, 'etc/passwd').match(/^wheelhouse:/gm)).toHaveLength(1)
    },
  )

  it.runIf(hasSystemd)('leaves a unit alone that somebody else has written', async () => {
    const root = system()
    mkdirSync(join(root, 'etc/systemd/system'), { recursive: true })
    writeFileSync(join(root, unitPath), '[Service]\nExecStart=/usr/local/bin/wheelhouse\n')
    for (const action of ['install', 'remove']) {
      const { code, stderr } = await runCli(['service', action, '--root', root])
      expect([code, stderr]).toEqual([1, expect.stringContaining('was not written by this command')])
    }
    expect(read(root, unitPath)).toBe('[Service]\nExecStart=/usr/local/bin/wheelhouse\n')
  })

  it.runIf(hasSystemd && has('systemd-analyze', '--version'))(
    'writes a unit in which systemd finds nothing wrong',
    async () => {
      const file = join(temporaryFolder(), 'wheelhouse.service')
      writeFileSync(file, (await runCli(['service', 'install', '--print'])).stdout)
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
      expect([status, stderr.split('\n').filter((line) => line.includes(file))]).toEqual([0, []])
    },
  )
})
