import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runBackupProcess } from '../../../server/db/runBackupProcess.ts'
import { openStore } from '../../../server/db/store.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const sleeper = new Int32Array(new SharedArrayBuffer(4))
/** Blocks this thread, as work of the server would. */
const block = (ms: number) => Atomics.wait(sleeper, 0, 0, ms)

it('a copy counts as done although the end of its process is noticed before what it has sent', async () => {
  const folder = temporaryFolder()
  const database = join(folder, 'wheelhouse.db')
  openStore(database).close()
  for (let copy = 0; copy < 3; copy++) {
    const target = join(folder, `${copy}.db`)
    const copied = runBackupProcess(database, target, new AbortController().signal)
    // Node asks for all ended processes when one has: this one ends first, and the copy while its output is read.
    const other = spawn(process.execPath, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
    other.stdout.once('data', () => {
      const latest = performance.now() + 5_000
      while (!existsSync(target) && performance.now() < latest) block(10)
      block(300)
    })
    block(50)
    await expect(copied).resolves.toBeUndefined()
    expect(existsSync(target)).toBe(true)
  }
})
