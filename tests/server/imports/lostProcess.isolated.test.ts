import type { ChildProcess } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import { readImportHistory } from '../../../server/imports/runImportProcess.ts'
import { fixtureFile } from '../../support/imports/importFixture.ts'

const started = vi.hoisted((): ChildProcess[] => [])

vi.mock('node:child_process', async (load) => {
  const original = await load<typeof import('node:child_process')>()
  return {
    ...original,
    fork(...args: Parameters<typeof original.fork>) {
      const child = original.fork(...args)
      started.push(child)
      return child
    },
  }
})

it('a process that ends while its results are being stored is a refusal, and harms nobody', async () => {
  const answered = vi.fn()
  const reading = readImportHistory({ kind: 'nezha', path: fixtureFile('nezha-2'), settings: '' }, async () => {
    const [child] = started
    child?.kill('SIGKILL')
    await vi.waitFor(() => expect([child?.connected, child?.signalCode]).toEqual([false, 'SIGKILL']))
    answered()
  })
  await expect(reading).rejects.toMatchObject({ code: 'damaged' })
  await vi.waitFor(() => expect(answered).toHaveBeenCalledOnce())
  // What is not handled is thrown in the turn after.
  await new Promise((resolve) => setImmediate(resolve))
})
