import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { StartError } from '../../../server/log.ts'
import { asUnprivilegedUser } from '../../support/server/process/asUnprivilegedUser.ts'
import { runCommandHere } from '../../support/server/process/runCommandHere.ts'
import { startServerHere } from '../../support/server/process/startServerHere.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const sentence = /The data folder \S+ is not open to this user: do this as its owner \(sudo -u wheelhouse /

it.runIf(process.getuid?.() === 0)(
  'a data folder of somebody else is told as such, and not as an empty one',
  async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'wheelhouse.db'), '')
    await asUnprivilegedUser(async () => {
      const start = await startServerHere({ DATA_DIR: folder }).catch((error: unknown) => error)
      expect(start).toBeInstanceOf(StartError)
      expect(start).toHaveProperty('message', expect.stringMatching(sentence))
      for (const command of [
        ['backup', join(folder, 'copy.db')],
        ['reset-password'],
        ['export', join(folder, 'x.yaml')],
      ])
        expect(await runCommandHere(command, { DATA_DIR: folder })).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(sentence),
        })
      const { code, stdout } = await runCommandHere(['doctor', '--json'], { DATA_DIR: folder, PORT: '0' })
      const results: unknown[] = JSON.parse(stdout)
      expect(results).toContainEqual(
        expect.objectContaining({
          check: 'permissions',
          status: 'failed',
          advice: 'Run this as the user of the server.',
        }),
      )
      expect(results).not.toContainEqual(expect.objectContaining({ check: 'database' }))
      expect(code).toBe(2)
    })
  },
)
